import type { Import } from '@proveklar/contract/imports.ts';
import { useTranslation } from 'react-i18next';
import { counted } from '../../format-amounts.ts';
import { OutcomeAlert } from './outcome-alert.tsx';
import { useNotOfferedText } from './use-not-offered-text.ts';

export function Completed({ one }: { one: Import }) {
  const { t } = useTranslation('admin');
  const notOffered = useNotOfferedText(one, 'not_offered');
  const { imported, updated, rejected } = one;
  const gains = imported + updated > 0;
  return (
    <OutcomeAlert
      tone={gains ? 'success' : 'info'}
      title={t('import.outcome.imported', counted(imported))}
      texts={[
        updated > 0 && t('import.outcome.updated', counted(updated)),
        rejected > 0 && t('import.outcome.some_rejected', counted(rejected)),
        notOffered,
        t(gains ? 'import.outcome.completed_next' : 'import.outcome.nothing_new'),
      ]}
    />
  );
}
