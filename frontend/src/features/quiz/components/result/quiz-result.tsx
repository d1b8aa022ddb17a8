import { Alert, Button } from '@digdir/designsystemet-react';
import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { getSession } from '#lib/session.ts';
import { outcomeOf } from '../../outcome.ts';
import { forgetUnsent, type Owner, readUnsent } from '../../unsent-answers.ts';
import { topicLabel } from '../../topic-label.ts';
import { PractiseAgain } from './practise-again.tsx';
import styles from './quiz-result.module.css';
import { ResultVerdict } from './result-verdict.tsx';
import { ReviewedAnswers } from './reviewed-answers.tsx';
import { TopicResult } from './topic-result.tsx';

export function QuizResult({ session }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  const [shown, setShown] = useState(false);
  const outcome = outcomeOf(session);
  const { wrong, trial } = outcome;

  return (
    <div className={styles.result}>
      <LateAnswers session={session} />
      <section className={styles.card}>
        <Topic>{topicLabel(session.topic, t)}</Topic>
        <ResultVerdict session={session} />
        <div className={styles.actions}>
          <ButtonLink to="/quiz">
            {t(session.exam ? 'result.again_test' : 'result.again')}
          </ButtonLink>
          {(wrong.length > 0 || trial.length > 0) && (
            <Button
              variant="secondary"
              aria-expanded={shown}
              aria-controls="reviewed-answers"
              onClick={() => setShown(!shown)}
            >
              {shown
                ? t('result.hide_answers')
                : wrong.length > 0
                  ? t('result.show_wrong', { count: wrong.length })
                  : t('result.trial_title', { count: trial.length })}
            </Button>
          )}
        </div>
        <PractiseAgain session={session} />
        {outcome.allRight && <p className="muted">{t('result.all_right')}</p>}
      </section>
      <div id="reviewed-answers" hidden={!shown}>
        {shown && <ReviewedAnswers session={session} {...outcome} />}
      </div>
      {session.exam && <TopicResult session={session} />}
    </div>
  );
}

/** Longer than this, in characters, a topic may need more than three lines on a phone. */
const LONG_TOPIC = 90;

/** Above the result: of a long topic three lines, and all of it on demand. */
function Topic({ children }: { children: string }) {
  const { t } = useTranslation('learner');
  const [whole, setWhole] = useState(false);
  if (children.length <= LONG_TOPIC) return <p className={styles.topic}>{children}</p>;
  return (
    <div>
      <p className={`${styles.topic} ${whole ? '' : 'clamped'}`}>{children}</p>
      <Button
        variant="tertiary"
        data-size="sm"
        aria-expanded={whole}
        onClick={() => setWhole(!whole)}
      >
        {t(whole ? 'result.topic_less' : 'result.topic_whole')}
      </Button>
    </div>
  );
}

/** Answers kept in this browser that the result was made without. Told once: they cannot be sent now. */
function LateAnswers({ session }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  const [owner] = useState<Owner>(() => ({
    uid: getSession().user?.uid ?? '',
    quizId: session.id,
  }));
  const [late] = useState(() => {
    const kept = Object.entries(readUnsent(owner).answers);
    // One that arrived without being confirmed counts.
    return kept.filter(([uuid, answer]) => session.answers[uuid]?.answer !== answer).length;
  });
  useEffect(() => forgetUnsent(owner), [owner]);
  if (late === 0) return null;
  return (
    <Alert data-color="warning" data-size="sm">
      {t('saving.late', { count: late })}
    </Alert>
  );
}
