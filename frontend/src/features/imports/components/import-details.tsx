import type { Import } from '@proveklar/contract/imports.ts';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '#lib/format.ts';
import { formatBytes, formatCount } from '../format-amounts.ts';
import { isReading, keepsNothing } from '../import-state.ts';
import { useDurationText } from '../use-duration-text.ts';
import { Counts } from './counts.tsx';
import { ImportActions } from './import-actions.tsx';
import styles from './import-details.module.css';
import { ImportOutcome } from './outcome/import-outcome.tsx';
import { RowReport } from './report/row-report.tsx';
import { ImportProgress } from './run/import-progress.tsx';
import { SimilarQuestions } from './similar/similar-questions.tsx';
import { StateTag } from './state-tag.tsx';

type ImportDetailsProps = {
  one: Import;
  /** When it was read, in milliseconds. */
  readAt: number;
  /** This page sends the file. */
  isSending: boolean;
};

export function ImportDetails({ one, readAt, isSending }: ImportDetailsProps) {
  return (
    <>
      <About one={one} />
      {isReading(one.state) ? (
        <ImportProgress one={one} readAt={readAt} isSending={isSending} />
      ) : (
        <ImportOutcome one={one} />
      )}
      {!isReading(one.state) && <Result one={one} />}
      <ImportActions one={one} />
      {!isReading(one.state) && <RowReport one={one} />}
      {one.near_duplicates && <SimilarQuestions id={one.id} search={one.near_duplicates} />}
    </>
  );
}

function About({ one }: { one: Import }) {
  const { t, i18n } = useTranslation('admin');
  const facts = [
    formatDateTime(one.created_at, i18n.language),
    one.imported_by,
    one.format.toUpperCase(),
    one.bytes_total === null ? '' : formatBytes(one.bytes_total),
    t(`import.duplicates_are.${one.on_duplicate}`),
    one.dry_run ? t('import.dry_run') : '',
  ].filter((fact) => fact !== '');
  return (
    <div className={styles.about}>
      <StateTag state={one.state} />
      <ul>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </div>
  );
}

/** The figures, and how long it took. */
function Result({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const durationText = useDurationText();
  // Of a file that was given up half-way the figures would say nothing.
  if (one.rows === 0 || (keepsNothing(one.state) && one.state !== 'discarded')) return null;
  const seconds =
    one.ended_at === null
      ? null
      : Math.max(0.001, (Date.parse(one.ended_at) - Date.parse(one.created_at)) / 1000);
  const took = seconds === null ? '–' : durationText(seconds);
  const rate = seconds === null ? '–' : formatCount(one.rows / Math.max(1, seconds));
  return (
    <Counts
      one={one}
      pace={[
        { label: t('import.rate'), value: rate },
        { label: t('import.took'), value: took },
      ]}
    />
  );
}
