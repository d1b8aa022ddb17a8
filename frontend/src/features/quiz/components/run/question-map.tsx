import { Button } from '@digdir/designsystemet-react';
import { BookmarkFillIcon, CheckmarkIcon, ChevronDownIcon } from '@navikt/aksel-icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nextWanted } from '../../quiz-position.ts';
import type { QuizRunState } from '../../use-quiz-run.ts';
import styles from './question-map.module.css';

type QuestionMapProps = {
  run: QuizRunState;
  questions: { uuid: string }[];
  marked: ReadonlySet<string>;
  onHandIn: () => void;
};

/**
 * All questions of a practice test at a glance, and the way to any of them; and beside it the way
 * out, until it is one of the buttons below.
 */
export function QuestionMap({ run, questions, marked, onHandIn }: QuestionMapProps) {
  const { t } = useTranslation('learner');
  // Where there is room beside the question, it stands open there (question-map.module.css).
  const [isWide] = useState(() => matchMedia('(min-width: 75rem)').matches);
  const isHandedInBelow = run.isLast || run.answered === run.total;
  return (
    <div className={styles.place}>
      <details className={styles.map} open={isWide}>
        <summary>
          <ChevronDownIcon aria-hidden />
          <span className={styles.title}>{t('run.map')}</span>
          <span className={styles.count}>
            {t('run.map_count', { n: run.answered, total: run.total })}
            {marked.size > 0 && ` · ${t('practice.marked_count', { count: marked.size })}`}
          </span>
        </summary>
        <div className={styles.content}>
          <ol className={styles.questions}>
            {questions.map(({ uuid }, index) => {
              const isAnswered = Boolean(run.answers[uuid]?.answer);
              const isMarked = marked.has(uuid);
              const n = index + 1;
              const label = t(isAnswered ? 'run.map_answered' : 'run.map_open', { n });
              return (
                <li key={uuid}>
                  <button
                    type="button"
                    data-answered={isAnswered || undefined}
                    aria-current={index === run.index ? 'step' : undefined}
                    aria-label={isMarked ? t('practice.map_marked', { label }) : label}
                    onClick={() => run.goTo(index)}
                  >
                    {n}
                    {isAnswered && <CheckmarkIcon aria-hidden className={styles.check} />}
                    {isMarked && <BookmarkFillIcon aria-hidden className={styles.bookmark} />}
                  </button>
                </li>
              );
            })}
          </ol>
          <QuestionJumps run={run} questions={questions} marked={marked} />
        </div>
      </details>
      {!isHandedInBelow && (
        <Button variant="tertiary" data-size="sm" disabled={run.finishing} onClick={onHandIn}>
          {t('run.hand_in')}
        </Button>
      )}
    </div>
  );
}

type QuestionJumpsProps = {
  run: QuizRunState;
  questions: { uuid: string }[];
  marked: ReadonlySet<string>;
};

/** To the next question without an answer, and to the next that is marked. */
function QuestionJumps({ run, questions, marked }: QuestionJumpsProps) {
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
