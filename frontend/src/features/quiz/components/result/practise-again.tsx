import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { questionCount } from '../../drill-choices.ts';
import { drillOf } from '../../progress/practice-offers.ts';
import { MISTAKES, topicLabel } from '../../topic-label.ts';
import { useStartQuiz } from '../../use-start-quiz.ts';
import { StartFailure } from '../home/start-failure.tsx';
import styles from './quiz-result.module.css';

/** After a quiz: the same drill once more, and what was answered wrong, in this quiz and before. */
export function PractiseAgain({ session }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  const { start, retry, starting, error } = useStartQuiz<'again' | 'mistakes'>();
  const { topic, language, instant_feedback, exam, questions } = session;
  const isDrill = exam === null && topic !== MISTAKES;
  // What was left out was not answered wrong: it is not among the mistakes.
  const hasMistakes = Object.values(session.answers).some(
    ({ answer, correct }) => answer !== '' && correct === false,
  );
  if (!isDrill && !hasMistakes) return null;

  function again() {
    const request = drillOf(topic, language, Math.max(questions.length, questionCount()));
    start({ ...request, instant_feedback }, 'again');
  }
  return (
    <>
      <div className={styles.actions}>
        {isDrill && (
          <Button
            variant="tertiary"
            loading={starting === 'again'}
            disabled={starting !== undefined}
            onClick={again}
          >
            <span className="clamped">{t('progress.again', { topic: topicLabel(topic, t) })}</span>
          </Button>
        )}
        {hasMistakes && (
          <Button
            variant="tertiary"
            loading={starting === 'mistakes'}
            disabled={starting !== undefined}
            onClick={() => start(drillOf(MISTAKES, language, questionCount()), 'mistakes')}
          >
            {t('progress.mistakes')}
          </Button>
        )}
      </div>
      <StartFailure error={error} onRetry={retry} />
    </>
  );
}
