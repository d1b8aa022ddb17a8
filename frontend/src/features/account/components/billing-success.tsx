import { Button } from '@digdir/designsystemet-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';

export function BillingSuccess({ days, isNew }: { days: number; isNew: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const goOn = () => void navigate({ to: '/quiz' });
  return (
    <AppDialog
      open
      closable={false}
      title={t(isNew ? 'billing.success_title_new' : 'billing.success_title')}
      onClose={goOn}
    >
      <p>{t('billing.success_text', { count: days })}</p>
      <DialogActions>
        <Button onClick={goOn}>{t('billing.to_quiz')}</Button>
      </DialogActions>
    </AppDialog>
  );
}
