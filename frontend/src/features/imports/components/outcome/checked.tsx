import type { Import } from '@proveklar/contract/imports.ts';
import { useTranslation } from 'react-i18next';
import { counted } from '../../format-amounts.ts';
import { OutcomeAlert } from './outcome-alert.tsx';
import { useNotOfferedText } from './use-not-offered-text.ts';

/** A dry run that waits for an answer. */
export function Checked({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const notOffered = useNotOfferedText(one, 'would_not_be_offered');
  const { imported, updated, rejected } = one;
  const gains = imported + updated > 0;
  return (
    <OutcomeAlert
      tone={gains ? 'info' : 'warning'}
      title={t('import.outcome.checked', counted(imported))}
      texts={[
        updated > 0 && t('import.outcome.would_update', counted(updated)),
        rejected > 0 && t('import.outcome.would_reject', counted(rejected)),
        notOffered,
        t(gains ? 'import.outcome.checked_next' : 'import.outcome.checked_nothing'),
      ]}
    />
  );
}
