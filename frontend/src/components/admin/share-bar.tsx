import { useId } from 'react';
import { formatPercent } from '#lib/format.ts';
import styles from './share-bar.module.css';

type ShareBarProps = {
  label: string;
  /** As it is shown and read out. */
  amount: string;
  /** From 0 to 1; null where it is not known. */
  share: number | null;
};

/** How much of something is done. */
export function ShareBar({ label, amount, share }: ShareBarProps) {
  const id = useId();
  return (
    <div className={styles.progress}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <span className={styles.amount}>
        {amount}
        {share !== null && <strong>{formatPercent(Math.floor(share * 100) / 100)}</strong>}
      </span>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share === null ? undefined : Math.floor(share * 100)}
        aria-valuetext={amount}
        className={styles.bar}
      >
        <div style={{ transform: `scaleX(${share ?? 0})` }} />
      </div>
    </div>
  );
}
