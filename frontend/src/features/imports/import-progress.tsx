import { Alert } from '@digdir/designsystemet-react';
import type { Import } from '@proveklar/contract/imports.ts';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ShareBar, StatTiles } from '#components/admin/admin-screen.tsx';
import { formatBytes, formatCount, useDurationText } from './format-amounts.ts';
import styles from './import-detail.module.css';
import type { Upload } from './upload.ts';
import { type Rates, ratesOf, type Sample, secondsLeft, withSample } from './rates.ts';

type ImportProgressProps = {
  one: Import;
  /** When it was read (milliseconds since 1970). */
  readAt: number;
  /** When this page sends the file. */
  upload: Upload | undefined;
};

/** The progress of a running import. */
export function ImportProgress({ one, readAt, upload }: ImportProgressProps) {
  const { t } = useTranslation('admin');
  const durationText = useDurationText();
  const rates = useRates(one, readAt);
  const left = secondsLeft(one, rates);
  const count = { rows: formatCount(one.rows), rejected: formatCount(one.rejected) };
  const spoken = useThrottledText(t('import.spoken', count), one.state);
  const note = noteOf(one, upload !== undefined);
  const pace = [
    { label: t('import.rate'), value: rates ? formatCount(rates.rows) : '–' },
    { label: t('import.time_left'), value: left === null ? '–' : durationText(left) },
  ];
  return (
    <div className={styles.progress}>
      <ProgressBar label={t('import.sent')} bytes={one.bytes_received} total={one.bytes_total} />
      <ProgressBar label={t('import.processed')} bytes={one.bytes_done} total={one.bytes_total} />
      <Counts one={one} pace={pace} />
      {upload?.state === 'waiting' || upload?.state === 'resumed' ? (
        <Alert
          data-color={upload.state === 'waiting' ? 'warning' : 'success'}
          data-size="sm"
          role="status"
        >
          {t(`import.resume.${upload.state}`)}
        </Alert>
      ) : null}
      {note && <p className={styles.note}>{t(`import.note_${note}`)}</p>}
      <p className="ds-sr-only" role="status">
        {spoken}
      </p>
    </div>
  );
}

/** What the administrator should know while it runs; nothing of a paused upload, which asks for its file. */
function noteOf({ state }: Import, isSending: boolean): 'sent' | 'sending' | 'elsewhere' | null {
  if (state === 'processing') return 'sent';
  if (isSending) return 'sending';
  return state === 'receiving' ? 'elsewhere' : null;
}

const ANNOUNCE_INTERVAL_MS = 10_000;

/**
 * Throttles a text for screen readers to one change in 10 seconds; a change of `moment` updates it at
 * once.
 */
function useThrottledText(text: string, moment: string): string {
  const [said, setSaid] = useState({ text, moment });
  const newest = useRef(text);
  useEffect(() => {
    newest.current = text;
  }, [text]);
  useEffect(() => {
    const timer = setInterval(
      () => setSaid((last) => ({ ...last, text: newest.current })),
      ANNOUNCE_INTERVAL_MS,
    );
    return () => clearInterval(timer);
  }, []);
  if (said.moment !== moment) setSaid({ text, moment });
  return said.text;
}

/**
 * The current speed of an import.
 *
 * @param readAt when it was read (milliseconds since 1970); 0 before the first read
 */
function useRates(one: Import, readAt: number): Rates | null {
  const [samples, setSamples] = useState<Sample[]>([]);
  if (readAt > 0 && samples.at(-1)?.at !== readAt) {
    setSamples(withSample(samples, { at: readAt, rows: one.rows, bytes: one.bytes_done }));
  }
  return ratesOf(samples);
}

type ProgressBarProps = { label: string; bytes: number; total: number | null };

/** The processed part of a file. If its size is unknown, only the number of bytes is shown. */
export function ProgressBar({ label, bytes, total }: ProgressBarProps) {
  const { t } = useTranslation('admin');
  const share = total === null ? null : total === 0 ? 1 : Math.min(1, bytes / total);
  const amount =
    total === null
      ? formatBytes(bytes)
      : t('import.bytes_of', { done: formatBytes(bytes), total: formatBytes(total) });
  return <ShareBar label={label} amount={amount} share={share} />;
}

type CountsProps = {
  one: Import;
  /** More numbers, about the speed. */
  pace: { label: string; value: string }[];
};

const COUNTED = ['rows', 'imported', 'updated', 'duplicates', 'rejected'] as const;

/** The counts of an import. Each has a fixed place, so that nothing moves while they grow. */
export function Counts({ one, pace }: CountsProps) {
  const { t } = useTranslation('admin');
  const words = one.dry_run ? 'count_dry' : 'count';
  const counts = COUNTED.map((name) => ({
    label: t(`import.${words}.${name}`),
    value: formatCount(one[name]),
  }));
  return <StatTiles tiles={[...counts, ...pace]} />;
}
