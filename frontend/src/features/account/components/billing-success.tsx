import { Button } from '@digdir/designsystemet-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { WaitingDays } from '#components/waiting-days.tsx';
import type { Waiting } from '#lib/waiting-of.ts';

type BillingSuccessProps = {
  days: number;
  /** Days that begin later; then access has not begun, or is not extended yet. */
  waiting: Waiting;
  isNew: boolean;
};

export function BillingSuccess({ days, waiting, isNew }: BillingSuccessProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const waits = waiting.length > 0;
  const title = isNew ? 'billing.success_title_new' : 'billing.success_title';
  const goOn = () => void navigate({ to: '/quiz' });
  return (
    <AppDialog
      open
      closable={false}
      title={t(waits ? 'billing.success_title_waiting' : title)}
      onClose={goOn}
    >
      <WaitingDays waiting={waiting} />
      {(days > 0 || !waits) && <p>{t('billing.success_text', { count: days })}</p>}
      <DialogActions>
        <Button onClick={goOn}>{t('billing.to_quiz')}</Button>
      </DialogActions>
    </AppDialog>
  );
}
