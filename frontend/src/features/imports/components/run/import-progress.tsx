import type { Import } from '@proveklar/contract/imports.ts';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../format-amounts.ts';
import { secondsLeft } from '../../run/rates.ts';
import { useCalmText } from '../../run/use-calm-text.ts';
import { useRates } from '../../run/use-rates.ts';
import { useDurationText } from '../../use-duration-text.ts';
import { Counts } from '../counts.tsx';
import { ProgressBar } from './progress-bar.tsx';
import styles from './import-progress.module.css';

type ImportProgressProps = {
  one: Import;
  /** When it was read, in milliseconds. */
  readAt: number;
  /** This page sends the file. */
  isSending: boolean;
};

/** How far an import has come that is being read. */
export function ImportProgress({ one, readAt, isSending }: ImportProgressProps) {
  const { t } = useTranslation('admin');
  const durationText = useDurationText();
  const rates = useRates(one, readAt);
  const left = secondsLeft(one, rates);
  const isSent = one.state !== 'receiving';
  const count = { rows: formatCount(one.rows), rejected: formatCount(one.rejected) };
  const spoken = useCalmText(t('import.spoken', count), one.state);
  const pace = [
    { label: t('import.rate'), value: rates ? formatCount(rates.rows) : '–' },
    { label: t('import.time_left'), value: left === null ? '–' : durationText(left) },
  ];
  return (
    <div className={styles.progress}>
      <ProgressBar label={t('import.sent')} bytes={one.bytes_received} total={one.bytes_total} />
      <ProgressBar label={t('import.processed')} bytes={one.bytes_done} total={one.bytes_total} />
      <Counts one={one} pace={pace} />
      <p className={styles.note}>
        {t(
          isSent ? 'import.note_sent' : isSending ? 'import.note_sending' : 'import.note_elsewhere',
        )}
      </p>
      <p className="ds-sr-only" role="status">
        {spoken}
      </p>
    </div>
  );
}
