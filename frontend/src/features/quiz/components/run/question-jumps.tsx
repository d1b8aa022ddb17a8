import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { nextWanted } from '../../run/quiz-position.ts';
import type { QuizRunState } from '../../run/use-quiz-run.ts';
import styles from './question-map.module.css';

type QuestionJumpsProps = {
  run: QuizRunState;
  questions: { uuid: string }[];
  marked: ReadonlySet<string>;
};

/** To the next question without an answer, and to the next that is marked. */
export function QuestionJumps({ run, questions, marked }: QuestionJumpsProps) {
  const { t } = useTranslation('learner');
  const next = {
    next_open: nextWanted(questions, run.index, ({ uuid }) => !run.answers[uuid]?.answer),
    next_marked: nextWanted(questions, run.index, ({ uuid }) => marked.has(uuid)),
  };
  return (
    <div className={styles.jumps}>
      {(['next_open', 'next_marked'] as const).map((name) => {
        const index = next[name];
        if (index === undefined || index === run.index) return null;
        return (
          <Button
            key={name}
            variant="secondary"
            data-color="neutral"
            data-size="sm"
            onClick={() => run.goTo(index)}
          >
            {t(`practice.${name}`)}
          </Button>
        );
      })}
    </div>
  );
}
