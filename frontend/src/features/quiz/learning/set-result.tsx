import { Button } from '@digdir/designsystemet-react';
import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { type Learning, settlesIn, useLearning } from './api.ts';
import { type Before, beforeSet } from './before-set.ts';
import { GoalBar } from './goal-bar.tsx';
import { chanceChange, isApplied, isGoalReached, offersNextSet } from './learning-figures.ts';
import styles from './learning.module.css';
import { isLowYet, missingText } from './readiness.tsx';
import { WrongToday } from './wrong-today.tsx';

type SetChangesProps = {
  session: QuizSession;
  /** Below a sad face the day's goal is not praised: it counts questions, right or wrong. */
  isLow: boolean;
};

/** What a set of today's practice has changed. Nothing while that is unknown. */
export function SetChanges({ session, isLow }: SetChangesProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const { data, isError } = useLearning(session.language);
  const before = beforeSet(session.id);
  const settled = useSettled();
  if (isError && !data) return null;
  return (
    <section className={styles.changes} aria-labelledby="changes-title">
      <h2 id="changes-title">{t(before ? 'learning.set.title' : 'learning.goal')}</h2>
      {!data || !(settled || isApplied(before, data)) ? (
        <SkeletonLines label={t('translation:app.loading')} lines={3} />
      ) : (
        <>
          <GoalBar today={data.today} />
          {isGoalReached(data) && (
            <p>{t(isLow ? 'learning.set.goal_reached' : 'learning.goal_reached')}</p>
          )}
          <WrongToday today={data.today} />
          {/* Two numbers of what comes back would have to be explained. */}
          {data.today.wrong_today === 0 && (data.today.due > 0 || !isGoalReached(data)) && (
            <p>
              {data.today.due > 0
                ? t('learning.set.due', { count: data.today.due })
                : t('learning.set.due_none')}
            </p>
          )}
          <Chance before={before} now={data} />
        </>
      )}
    </section>
  );
}

/** How the chance of passing has changed, after a quiz that is not part of today's practice. */
export function ReadinessChange({ session }: { session: QuizSession }) {
  const before = beforeSet(session.id);
  return before ? <ReadinessSince before={before} /> : null;
}

function ReadinessSince({ before }: { before: Before }) {
  const { t } = useTranslation();
  const { data } = useLearning(before.language);
  const settled = useSettled();
  // Its room, so that the buttons below do not move.
  if (!settled && !(data && isApplied(before, data))) {
    return <SkeletonLines label={t('app.loading')} lines={1} />;
  }
  return data ? <Chance before={before} now={data} /> : null;
}

/** The chance of passing beside the one before, or how many answers it takes to know it. */
function Chance({ before, now }: { before: Before | undefined; now: Learning }) {
  const { t, i18n } = useTranslation('learner');
  if (!now.readiness) return <p>{missingText(now, t)}</p>;
  const change = chanceChange(before, now, i18n.language);
  if (!change) return null;
  return (
    <p>
      {t(`learning.set.readiness_${change.change}`, change)}{' '}
      {isLowYet(now.readiness) && t('learning.readiness.low')}
    </p>
  );
}

/** Whether the workers have had the time to apply the answers. */
function useSettled(): boolean {
  const [settled, setSettled] = useState(() => settlesIn() === 0);
  useEffect(() => {
    if (settled) return undefined;
    const timer = setTimeout(() => setSettled(true), settlesIn());
    return () => clearTimeout(timer);
  }, [settled]);
  return settled;
}

type NextSetProps = {
  session: QuizSession;
  variant: 'primary' | 'secondary';
  busy: boolean;
  disabled: boolean;
  onStart: () => void;
};

/** The next set, while there is one for today; else the way home. */
export function NextSet({ session, variant, busy, disabled, onStart }: NextSetProps) {
  const { t } = useTranslation('learner');
  const { data } = useLearning(session.language);
  if (data && !offersNextSet(data)) {
    return (
      <ButtonLink to="/quiz" variant={variant}>
        {t('learning.set.done')}
      </ButtonLink>
    );
  }
  return (
    <Button variant={variant} loading={busy} disabled={disabled} onClick={onStart}>
      {t('learning.set.next')}
    </Button>
  );
}
