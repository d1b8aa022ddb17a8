import type { LearningResponse } from '@proveklar/contract/learning.ts';
import { useTranslation } from 'react-i18next';
import styles from './learning.module.css';

/** How much of the day's goal is done. */
export function GoalBar({ today: { done, goal } }: Pick<LearningResponse, 'today'>) {
  const { t } = useTranslation('learner');
  const text = t(done > goal ? 'learning.goal_passed' : 'learning.goal_done', { done, goal });
  return (
    <div className={styles.goal}>
      <span>{text}</span>
      <div
        role="progressbar"
        aria-label={t('learning.goal')}
        aria-valuemin={0}
        aria-valuemax={goal}
        aria-valuenow={Math.min(done, goal)}
        aria-valuetext={text}
        className={styles.track}
      >
        <div style={{ inlineSize: `${Math.min(1, done / goal) * 100}%` }} />
      </div>
    </div>
  );
}
