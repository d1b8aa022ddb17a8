import { Button } from '@digdir/designsystemet-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { formatDateTime } from '#lib/format.ts';
import { getSession } from '#lib/session.ts';
import type { OpenQuiz } from '../../api.ts';
import { readUnsent } from '../../unsent-answers.ts';
import { topicLabel } from '../../topic-label.ts';
import styles from './open-quizzes.module.css';

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

const LOOK_MS = 10_000;

type TimeLeftProps = { seconds: number; readAt: number };

/** How many minutes a test that is running has left. They are not read aloud as they pass. */
function TimeLeft({ seconds, readAt }: TimeLeftProps) {
  const { t } = useTranslation('learner');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const count = Math.ceil((seconds - Math.max(0, now - readAt) / 1000) / 60);
  return (
    <span className={styles.time}>
      {count > 0 ? t('practice.reminder', { count }) : t('practice.up_title')}
    </span>
  );
}

/** What this browser still has of an open quiz: it is sent when the quiz is opened. */
function UnsentNote({ quizId }: { quizId: string }) {
  const { t } = useTranslation('learner');
  const [{ answers, handIn }] = useState(() =>
    readUnsent({ uid: getSession().user?.uid ?? '', quizId }),
  );
  const count = Object.keys(answers).length;
  if (count === 0 && !handIn) return null;
  return (
    <span className={styles.unsent}>
      {handIn ? t('saving.not_handed_in') : t('saving.unsent', { count })}
    </span>
  );
}
