import { Button } from '@digdir/designsystemet-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { PaymentProblem } from '#components/card-payment/payment-problem.tsx';
import { problemOf } from '#components/card-payment/problem.ts';
import { SettlingPayment } from '#components/card-payment/settling-payment.tsx';
import { useSettlement } from '#components/card-payment/use-settlement.ts';
import { WaitingDays } from '#components/waiting-days.tsx';
import { type Waiting, waitingOf } from '#lib/waiting-of.ts';
import { accountKeys, confirmPayment } from '../api.ts';

type BillingOutcomeProps = {
  paymentIntentId: string;
  isNew: boolean;
  /** What the account says by itself, once it has the new days: the webhook may be first. */
  settledDays: number | undefined;
  onOtherCard: () => void;
  onStartAgain: () => void;
};

/** After the card: the days are there, the bank is not done, or there is a way on from what failed. */
export function BillingOutcome(props: BillingOutcomeProps) {
  const { paymentIntentId, isNew, settledDays, onOtherCard, onStartAgain } = props;
  const queryClient = useQueryClient();
  const { result, waiting, error, busy, retry } = useSettlement({
    queryKey: accountKeys.payment(paymentIntentId),
    ask: () => confirmPayment({ payment_intent_id: paymentIntentId }),
    enabled: true,
  });
  useEffect(() => {
    if (result) void queryClient.invalidateQueries({ queryKey: accountKeys.all });
  }, [result, queryClient]);

  const problem = error && problemOf(error);
  const days = result?.days_remaining ?? (problem === 'unsettled' ? settledDays : undefined);
  if (days !== undefined) {
    return <BillingSuccess days={days} waiting={waitingOf(result)} isNew={isNew} />;
  }
  if (!problem) return <SettlingPayment paid waiting={waiting} />;
  return (
    <PaymentProblem
      key={problem}
      // Of a registration alone.
      problem={problem === 'password' ? 'unsettled' : problem}
      error={error}
      busy={busy}
      onRetry={retry}
      onOtherCard={onOtherCard}
      onStartAgain={onStartAgain}
    />
  );
}

type BillingSuccessProps = {
  days: number;
  /** Days that begin later; then access has not begun, or is not extended yet. */
  waiting: Waiting;
  isNew: boolean;
};

function BillingSuccess({ days, waiting, isNew }: BillingSuccessProps) {
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
