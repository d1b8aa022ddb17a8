import { Alert } from '@digdir/designsystemet-react';
import type { Import } from '@proveklar/gateway/contract/imports.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../format-amounts.ts';
import { isBeingCleared } from '../import-state.ts';
import styles from './import-outcome.module.css';

type Tone = 'success' | 'info' | 'warning' | 'danger';

/** How an import ended, or what it waits for, in words; and what to do about it. */
export function ImportOutcome({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const { tone, title, texts } = useOutcome(one);
  return (
    <Alert data-color={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      <div className={styles.outcome}>
        <h2>{title}</h2>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {isBeingCleared(one) && <p>{t('import.being_cleared')}</p>}
      </div>
    </Alert>
  );
}

function useOutcome(one: Import): { tone: Tone; title: ReactNode; texts: string[] } {
  const { t } = useTranslation('admin');
  const counted = (count: number) => ({ count, number: formatCount(count) });
  const rejected =
    one.rejected > 0 ? [t('import.outcome.some_rejected', counted(one.rejected))] : [];
  const updated = one.updated > 0 ? [t('import.outcome.updated', counted(one.updated))] : [];
  const gains = one.imported + one.updated > 0;

  switch (one.state) {
    case 'completed':
      return {
        tone: gains ? 'success' : 'info',
        title: t('import.outcome.imported', counted(one.imported)),
        texts: [
          ...updated,
          ...rejected,
          t(gains ? 'import.outcome.completed_next' : 'import.outcome.nothing_new'),
        ],
      };
    case 'checked':
      return {
        tone: gains ? 'info' : 'warning',
        title: t('import.outcome.checked', counted(one.imported)),
        texts: [
          ...(one.updated > 0 ? [t('import.outcome.would_update', counted(one.updated))] : []),
          ...(one.rejected > 0 ? [t('import.outcome.would_reject', counted(one.rejected))] : []),
          t(gains ? 'import.outcome.checked_next' : 'import.outcome.checked_nothing'),
        ],
      };
    case 'refused':
      return { tone: 'danger', title: t('import.failed_title'), texts: refusalTexts() };
    case 'failed':
      return {
        tone: 'danger',
        title: t('import.failed_title'),
        texts: [t('import.outcome.failed')],
      };
    case 'undone':
      return {
        tone: 'info',
        title: t('import.outcome.undone'),
        texts: [
          t('import.outcome.undone_text'),
          ...(one.undone_by ? [t('import.outcome.undone_by', { email: one.undone_by })] : []),
        ],
      };
    case 'undoing':
      return {
        tone: 'info',
        title: t('import.outcome.undoing'),
        texts: [t('import.outcome.undoing_text')],
      };
    case 'cancelled':
    case 'discarded':
      return {
        tone: 'info',
        title: t(`import.outcome.${one.state}`),
        texts: [t('import.outcome.nothing_kept')],
      };
    case 'receiving':
    case 'processing':
      return { tone: 'info', title: t(`import.state.${one.state}`), texts: [] };
  }

  function refusalTexts(): string[] {
    const nothing = t('import.outcome.nothing_kept');
    if (!one.refusal) return [nothing];
    const { reason, row, byte } = one.refusal;
    const place =
      row !== null && byte !== null
        ? [t('import.place.row_byte', { row: formatCount(row), byte: formatCount(byte) })]
        : row !== null
          ? [t('import.place.row', { row: formatCount(row) })]
          : byte !== null
            ? [t('import.place.byte', { byte: formatCount(byte) })]
            : [];
    const what = t(`import.refusal.${reason}.what`);
    return [[what, ...place].join(' '), t(`import.refusal.${reason}.do`), nothing];
  }
}
