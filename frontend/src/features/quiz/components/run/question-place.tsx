import { useTranslation } from 'react-i18next';
import type { QuizRunState } from '../../run/use-quiz-run.ts';
import styles from './quiz-run.module.css';

/** What `QuestionHeading` is described by. */
export const QUESTION_PLACE = 'question-place how-it-went';

type QuestionPlaceProps = { run: QuizRunState; previous: { uuid: string } | undefined };

/**
 * How far one has come. Where a drill goes on by itself, the focus moves to the next question while
 * the announcement of right or wrong is still spoken, and cuts it off; so the next question says it
 * again to those who hear it.
 */
export function QuestionPlace({ run, previous }: QuestionPlaceProps) {
  const { t } = useTranslation('learner');
  const isNew = run.autoAdvance && !run.given;
  const given = previous && isNew ? run.answers[previous.uuid] : undefined;
  const correct = given?.fresh ? given.result?.correct : undefined;
  return (
    <p className={styles.counter}>
      <span id="question-place">{t('run.counter', { n: run.index + 1, total: run.total })}</span>
      <span id="how-it-went" hidden>
        {correct === true && t('run.announce_previous_right')}
        {correct === false &&
          `${t('run.announce_previous_wrong')} ${given?.result?.correct_answer}`}
      </span>
    </p>
  );
}
