import type { Import } from '@proveklar/contract/imports.ts';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../format-amounts.ts';
import { isBeingCleared } from '../../import-state.ts';
import { OutcomeAlert } from './outcome-alert.tsx';

type Refusal = NonNullable<Import['refusal']>;

/** A file that could not be read: why, where, and what to do. */
export function Refused({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const place = usePlace(one.refusal);
  const reason = one.refusal?.reason;
  return (
    <OutcomeAlert
      tone="danger"
      title={t('import.failed_title')}
      texts={[
        reason !== undefined && `${t(`import.refusal.${reason}.what`)} ${place}`.trim(),
        reason !== undefined && t(`import.refusal.${reason}.do`),
        t('import.outcome.nothing_kept'),
        isBeingCleared(one) && t('import.being_cleared'),
      ]}
    />
  );
}

/** Where in the file it is, as far as that is known. */
function usePlace(refusal: Refusal | null): string {
  const { t } = useTranslation('admin');
  const { row = null, byte = null } = refusal ?? {};
  if (row !== null && byte !== null) {
    return t('import.place.row_byte', { row: formatCount(row), byte: formatCount(byte) });
  }
  if (row !== null) return t('import.place.row', { row: formatCount(row) });
  return byte === null ? '' : t('import.place.byte', { byte: formatCount(byte) });
}
