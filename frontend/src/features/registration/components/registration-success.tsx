import type { ConfirmRegistrationResponse } from '@proveklar/contract/payment.ts';
import { Button } from '@digdir/designsystemet-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { WaitingDays } from '#components/waiting-days.tsx';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { formatKroner } from '#lib/format.ts';
import { waitingOf } from '#lib/waiting-of.ts';

type RegistrationSuccessProps = {
  email: string;
  result: ConfirmRegistrationResponse;
  /** Øre; null where nothing was paid, so that no days were added. */
  paid: number | null;
};

export function RegistrationSuccess({ email, result, paid }: RegistrationSuccessProps) {
  const { t, i18n } = useTranslation(['translation', 'purchase']);
  const navigate = useNavigate();
  const mailed = result.password_mailed;
  const existed = result.account_existed && !mailed;
  const count = result.days_remaining;
  const waiting = waitingOf(result);
  const text = existed ? 'registration.existed_text' : 'registration.success_text';

  function goToLogin(mode?: 'reset') {
    void navigate({ to: '/login', search: mode ? { mode } : {}, state: { email } });
  }

  function waitingText() {
    if (mailed) return 'registration.waiting_text_mailed';
    return existed ? 'registration.waiting_text_existed' : 'registration.waiting_text';
  }

  function readyText() {
    if (mailed) return t('registration.mailed_text', { count });
    return paid === null ? t(`${text}_free`) : t(text, { count });
  }

  return (
    <AppDialog
      open
      closable={false}
      title={t(existed ? 'registration.existed_title' : 'registration.success_title')}
      onClose={() => goToLogin()}
    >
      {paid !== null && (
        <p>
          {t('purchase:payment.paid_receipt', {
            amount: formatKroner(paid / 100, i18n.language),
            email,
          })}
        </p>
      )}
      <WaitingDays waiting={waiting} />
      <p>{waiting.length > 0 ? t(waitingText()) : readyText()}</p>
      <DialogActions>
        <Button onClick={() => goToLogin()}>{t('registration.to_login')}</Button>
        {existed && (
          <Button variant="secondary" onClick={() => goToLogin('reset')}>
            {t('registration.to_reset')}
          </Button>
        )}
      </DialogActions>
    </AppDialog>
  );
}
