import type { Import } from '@proveklar/gateway/contract/imports.ts';
import { useTranslation } from 'react-i18next';
import { counted } from '../../format-amounts.ts';
import { OutcomeAlert } from './outcome-alert.tsx';

export function Completed({ one: { imported, updated, rejected } }: { one: Import }) {
  const { t } = useTranslation('admin');
  const gains = imported + updated > 0;
  return (
    <OutcomeAlert
      tone={gains ? 'success' : 'info'}
      title={t('import.outcome.imported', counted(imported))}
      texts={[
        updated > 0 && t('import.outcome.updated', counted(updated)),
        rejected > 0 && t('import.outcome.some_rejected', counted(rejected)),
        t(gains ? 'import.outcome.completed_next' : 'import.outcome.nothing_new'),
      ]}
    />
  );
}
