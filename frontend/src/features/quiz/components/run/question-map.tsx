import { ChevronDownIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import type { QuizRunState } from '../../run/use-quiz-run.ts';
import styles from './question-map.module.css';

type QuestionMapProps = { run: QuizRunState; questions: { uuid: string }[] };

/** All questions of a practice test at a glance, and the way to any of them. */
export function QuestionMap({ run, questions }: QuestionMapProps) {
  const { t } = useTranslation('learner');
  return (
    <details className={styles.map}>
      <summary>
        <ChevronDownIcon aria-hidden />
        <span className={styles.title}>{t('run.map')}</span>
        <span className={styles.count}>
          {t('run.map_count', { n: run.answered, total: run.total })}
        </span>
      </summary>
      <ol className={styles.questions}>
        {questions.map(({ uuid }, index) => {
          const answered = Boolean(run.answers[uuid]?.answer);
          return (
            <li key={uuid}>
              <button
                type="button"
                data-answered={answered || undefined}
                aria-current={index === run.index ? 'step' : undefined}
                aria-label={t(answered ? 'run.map_answered' : 'run.map_open', { n: index + 1 })}
                onClick={() => run.goTo(index)}
              >
                {index + 1}
              </button>
            </li>
          );
        })}
      </ol>
    </details>
  );
}
