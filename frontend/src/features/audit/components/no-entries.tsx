import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#components/admin/empty-state.tsx';

export function NoEntries({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useTranslation('admin');
  return (
    <EmptyState title={t('audit.none')}>
      <p>{t(filtered ? 'audit.none_found' : 'audit.none_yet')}</p>
      {filtered && (
        <Button variant="secondary" onClick={onClear}>
          {t('audit.clear')}
        </Button>
      )}
    </EmptyState>
  );
}
