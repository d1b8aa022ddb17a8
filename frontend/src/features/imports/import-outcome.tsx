import { Alert } from '@digdir/designsystemet-react';
import type { Import } from '@proveklar/contract/imports.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { languageInWords } from '#lib/question-language.ts';
import { pendingQuery } from './api.ts';
import { counted, formatCount } from './format-amounts.ts';
import styles from './import-detail.module.css';
import { countNotOffered, isBeingCleared, notOfferedOf } from './import-state.tsx';
import { useFieldName } from './use-field-name.ts';

/** How an import ended, or what it waits for, and what to do. */
export function ImportOutcome({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const cleared = isBeingCleared(one) && t('import.being_cleared');
  switch (one.state) {
    case 'completed':
      return <Completed one={one} />;
    case 'checked':
      return <Checked one={one} />;
    case 'refused':
      return <Refused one={one} />;
    case 'failed':
      return (
        <OutcomeAlert
          tone="danger"
          title={t('import.failed_title')}
          texts={[t('import.outcome.failed'), cleared]}
        />
      );
    case 'cancelled':
    case 'discarded':
      return (
        <OutcomeAlert
          tone="info"
          title={t(`import.outcome.${one.state}`)}
          texts={[t('import.outcome.nothing_kept'), cleared]}
        />
      );
    case 'undoing':
    case 'undone':
      return (
        <OutcomeAlert
          tone="info"
          title={t(`import.outcome.${one.state}`)}
          texts={[
            t(`import.outcome.${one.state}_text`),
            one.undone_by !== null && t('import.outcome.undone_by', { email: one.undone_by }),
          ]}
        />
      );
    case 'receiving':
    case 'processing':
    case 'paused':
      break;
  }
  return null;
}

/** A dry run that waits for an answer. */
function Checked({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const notOffered = useNotOfferedText(one, 'would_not_be_offered');
  const { imported, updated, rejected, differing } = one;
  const warned = useWarnedText(one);
  const gains = imported + updated > 0;
  const isToMend = rejected + differing > 0;
  return (
    <OutcomeAlert
      tone={gains ? 'info' : 'warning'}
      title={t('import.outcome.checked', counted(imported))}
      texts={[
        updated > 0 && t('import.outcome.would_update', counted(updated)),
        rejected > 0 && t('import.outcome.would_reject', counted(rejected)),
        differing > 0 && t('import.outcome.would_differ', counted(differing)),
        warned,
        notOffered,
        t(
          `import.outcome.${gains ? 'checked_next' : isToMend ? 'checked_none' : 'checked_nothing'}`,
        ),
      ]}
    />
  );
}

function Completed({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const notOffered = useNotOfferedText(one, 'not_offered');
  const { imported, updated, rejected, differing } = one;
  const warned = useWarnedText(one);
  const { data: pending } = useQuery(pendingQuery(one.id));
  const gains = imported + updated > 0;
  const next = pending === 0 ? 'completed_done' : 'completed_next';
  // Rows that wait for a decision or a correction may be new: what to do with them is said above.
  const isToMend = rejected + differing > 0;
  return (
    <OutcomeAlert
      tone={gains ? 'success' : 'info'}
      title={t('import.outcome.imported', counted(imported))}
      texts={[
        updated > 0 && t('import.outcome.updated', counted(updated)),
        rejected > 0 && t('import.outcome.some_rejected', counted(rejected)),
        differing > 0 && t('import.outcome.differing', counted(differing)),
        warned,
        notOffered,
        gains ? t(`import.outcome.${next}`) : !isToMend && t('import.outcome.nothing_new'),
      ]}
    />
  );
}

/** The number of questions with a warning; false if there are none. */
function useWarnedText({ warned, cleaned }: Import): string | false {
  const { t } = useTranslation('admin');
  return (
    warned > 0 && t('import.outcome.warned', { ...counted(warned), cleaned: formatCount(cleaned) })
  );
}

/** An unreadable file: why, where, and what to do. */
function Refused({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  return (
    <Alert data-color="danger" role="alert">
      <div className={styles.outcome}>
        <h2>{t('import.failed_title')}</h2>
        {one.refusal && <RefusalText refusal={one.refusal} />}
        <p>{t('import.outcome.nothing_kept')}</p>
        {isBeingCleared(one) && <p>{t('import.being_cleared')}</p>}
      </div>
    </Alert>
  );
}

type Refusal = NonNullable<Import['refusal']>;

/** Why a file cannot be read, where, and what to do. */
export function RefusalText({ refusal }: { refusal: Partial<Refusal> }) {
  const { t } = useTranslation('admin');
  const place = usePlace(refusal);
  const fieldName = useFieldName();
  const { reason, excerpt, missing = [], unknown = [] } = refusal;
  if (!reason) return null;
  return (
    <>
      <p>{`${t(`import.refusal.${reason}.what`)} ${place}`.trim()}</p>
      {excerpt && (
        <p>
          {t('import.refusal.excerpt')} <code className={styles.excerpt}>{excerpt}</code>
        </p>
      )}
      {missing.length > 0 && (
        <p>
          {t('import.refusal.csv_header.missing', { columns: missing.map(fieldName).join(', ') })}
        </p>
      )}
      {unknown.length > 0 && (
        <p>{t('import.refusal.csv_header.unknown', { columns: unknown.join(', ') })}</p>
      )}
      <p>{t(`import.refusal.${reason}.do`)}</p>
    </>
  );
}

/** The position in the file, as far as it is known: a line says more than a byte, and a header has none. */
function usePlace(refusal: Partial<Refusal>): string {
  const { t } = useTranslation('admin');
  const { reason, row = null, byte = null, line = null, column = null } = refusal;
  if (reason === 'csv_header' || reason === 'empty') return '';
  if (line !== null && column !== null) {
    return t('import.place.line', { line: formatCount(line), column: formatCount(column) });
  }
  if (line !== null) return t('import.place.only_line', { line: formatCount(line) });
  if (row !== null && byte !== null) {
    return t('import.place.row_byte', { row: formatCount(row), byte: formatCount(byte) });
  }
  if (row !== null) return t('import.place.row', { row: formatCount(row) });
  return byte === null ? '' : t('import.place.byte', { byte: formatCount(byte) });
}

type OutcomeAlertProps = {
  tone: 'success' | 'info' | 'warning' | 'danger';
  title: string;
  /** One paragraph each; falsy ones are left out. */
  texts: readonly (string | false | null)[];
};

function OutcomeAlert({ tone, title, texts }: OutcomeAlertProps) {
  return (
    <Alert data-color={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      <div className={styles.outcome}>
        <h2>{title}</h2>
        {texts.map((text) => text && <p key={text}>{text}</p>)}
      </div>
    </Alert>
  );
}

/** The numbers of questions in languages that are not offered to learners; false if there are none. */
function useNotOfferedText(
  one: Import,
  what: 'not_offered' | 'would_not_be_offered',
): string | false {
  const { t, i18n } = useTranslation('admin');
  const all = countNotOffered(one);
  if (all === 0) return false;
  const languages = notOfferedOf(one)
    .map(
      ({ language, questions }) =>
        `${languageInWords(language, i18n.language)} (${formatCount(questions)})`,
    )
    .join(', ');
  return t(`import.outcome.${what}`, { ...counted(all), languages });
}
