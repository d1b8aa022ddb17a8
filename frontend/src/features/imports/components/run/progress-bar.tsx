import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '#lib/format.ts';
import { formatBytes } from '../../format-amounts.ts';
import styles from './progress-bar.module.css';

type ProgressBarProps = { label: string; bytes: number; total: number | null };

/** How much of a file is done with. Where its size is not known there is a figure, but no share. */
export function ProgressBar({ label, bytes, total }: ProgressBarProps) {
  const { t } = useTranslation('admin');
  const id = useId();
  const share = total === null ? null : total === 0 ? 1 : Math.min(1, bytes / total);
  const amount =
    total === null
      ? formatBytes(bytes)
      : t('import.bytes_of', { done: formatBytes(bytes), total: formatBytes(total) });
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
