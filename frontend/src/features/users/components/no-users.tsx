import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#components/admin/empty-state.tsx';

export function NoUsers({ email, onClear }: { email: string; onClear: () => void }) {
  const { t } = useTranslation('admin');
  return (
    <EmptyState title={t('users.none')}>
      <p>{email ? t('users.none_found', { email }) : t('users.none_yet')}</p>
      {email && (
        <Button variant="secondary" onClick={onClear}>
          {t('users.clear')}
        </Button>
      )}
    </EmptyState>
  );
}
