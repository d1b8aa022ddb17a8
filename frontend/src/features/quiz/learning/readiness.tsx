import { Button } from '@digdir/designsystemet-react';
import type { LearningResponse } from '@proveklar/contract/learning.ts';
import type { StartQuizRequest } from '@proveklar/contract/quiz.ts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatDate, formatPercent } from '#lib/format.ts';
import type { Learning } from './api.ts';
import { chancePercent, daysUntil, formatChance, setOf, todaysState } from './learning-figures.ts';
import styles from './learning.module.css';

type ReadinessProps = {
  learning: Learning;
  /** Left out for a learner without access. */
  onStart: ((request: StartQuizRequest) => void) | undefined;
  /** The level of its heading; below another heading by default. */
  heading?: 'h2' | 'h3';
  busy: boolean;
  disabled: boolean;
};

/** The chance of passing today, and the step that would raise it most. */
export function Readiness(props: ReadinessProps) {
  const { learning, onStart, heading: Heading = 'h3', busy, disabled } = props;
  const { t, i18n } = useTranslation('learner');
  const { readiness, next_step: step } = learning;
  const state = todaysState(learning);
  // What the bank cannot give is not offered.
  const isOffered = step && (step.kind === 'new' || state === 'repeat' || state === 'new');
  return (
    <section className={styles.part} aria-labelledby="readiness-title">
      <Heading id="readiness-title">{t('learning.readiness.title')}</Heading>
      {learning.exam_date && <ExamDate date={learning.exam_date} />}
      {learning.access_ends_first && (
        <p>
          {t('learning.readiness.access_first', {
            date: formatDate(learning.access_ends_first, i18n.language),
          })}
        </p>
      )}
      {readiness ? (
        <Chance readiness={readiness} exam={learning.exam} />
      ) : (
        <p>{missingText(learning, t)}</p>
      )}
      {isOffered && onStart && (
        <div className={styles.step}>
          <p id="next-step">{t('learning.readiness.step')}</p>
          <Button
            variant="secondary"
            data-size="sm"
            aria-describedby="next-step"
            loading={busy}
            disabled={disabled}
            onClick={() => onStart(setOf(learning.language, step.topic ?? undefined))}
          >
            <span className={styles.stepText}>
              {step.topic === null
                ? t('learning.readiness.step_today')
                : t('learning.readiness.step_new', { topic: step.topic })}
            </span>
          </Button>
        </div>
      )}
      <details className={styles.more}>
        <summary>{t('learning.readiness.about')}</summary>
        <p>{t('learning.readiness.about_text')}</p>
      </details>
    </section>
  );
}

/** What it takes until readiness is known. */
export function missingText({ answers_missing: count }: Learning, t: TFunction<'learner'>): string {
  return count > 0 ? t('learning.readiness.missing', { count }) : t('learning.readiness.too_few');
}

/** The exam date while it is ahead, with the days until then. */
function ExamDate({ date }: { date: string }) {
  const { t, i18n } = useTranslation('learner');
  const count = daysUntil(date);
  if (count < 0) return null;
  const day = formatDate(date, i18n.language);
  return (
    <p>
      {count === 0
        ? t('learning.readiness.exam_today')
        : t('learning.readiness.exam_in', { count, date: day })}
    </p>
  );
}

/** Readiness below it says that it rises with practice. */
const LOW = 0.5;

export const isLowYet = ({ high }: NonNullable<LearningResponse['readiness']>): boolean =>
  high < LOW;

type ChanceProps = {
  readiness: NonNullable<LearningResponse['readiness']>;
  exam: LearningResponse['exam'];
};

function Chance({ readiness, exam }: ChanceProps) {
  const { t, i18n } = useTranslation('learner');
  const { probability, low, high } = readiness;
  const figures = {
    exam: t(`quiz.exam_${exam}`),
    percent: formatChance(probability, i18n.language),
    low: chancePercent(low),
    high: formatChance(high, i18n.language),
  };
  const [from, to] = [chancePercent(low), chancePercent(high)];
  return (
    <>
      <p className={styles.chance}>{t('learning.readiness.now', figures)}</p>
      <div role="img" aria-label={t('learning.readiness.picture', figures)}>
        <div className={styles.scale}>
          <span
            className={styles.band}
            style={{ insetInlineStart: `${from}%`, inlineSize: `${to - from}%` }}
          />
          <span
            className={styles.mark}
            style={{ insetInlineStart: `${chancePercent(probability)}%` }}
          />
        </div>
        <div className={styles.ends}>
          <span>0</span>
          <span>50</span>
          <span>{formatPercent(1, i18n.language)}</span>
        </div>
      </div>
      {isLowYet(readiness) && <p>{t('learning.readiness.low')}</p>}
    </>
  );
}
