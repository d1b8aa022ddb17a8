import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { formatDateTime } from '#lib/format.ts';
import type { OpenQuiz } from '../../api.ts';
import { topicLabel } from '../../topic-label.ts';
import styles from './open-quizzes.module.css';
import { TimeLeft } from './time-left.tsx';
import { UnsentNote } from './unsent-note.tsx';

type OpenQuizRowProps = {
  quiz: OpenQuiz;
  /** When it was asked for (milliseconds since 1970): its time has run since. */
  readAt: number;
  disabled: boolean;
  onExit: () => void;
};

export function OpenQuizRow({ quiz, readAt, disabled, onExit }: OpenQuizRowProps) {
  const { t, i18n } = useTranslation('learner');
  const topic = topicLabel(quiz.topic, t);
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <strong className="clamped">{topic}</strong>
        <span>{t('quiz.open_answered', { n: quiz.answered, total: quiz.questions })}</span>
        <time dateTime={quiz.started_at}>
          {t('quiz.open_started', { time: formatDateTime(quiz.started_at, i18n.language) })}
        </time>
        {quiz.seconds_left !== null && <TimeLeft seconds={quiz.seconds_left} readAt={readAt} />}
        <UnsentNote quizId={quiz.id} />
      </div>
      <div className={styles.actions}>
        <ButtonLink
          to="/quiz/$id"
          params={{ id: quiz.id }}
          data-color="accent"
          aria-label={`${t('quiz.continue')}: ${topic}`}
        >
          {t('quiz.continue')}
        </ButtonLink>
        <Button
          variant="tertiary"
          data-color="neutral"
          aria-label={`${t('quiz.exit')}: ${topic}`}
          disabled={disabled}
          onClick={onExit}
        >
          {t('quiz.exit')}
        </Button>
      </div>
    </li>
  );
}
