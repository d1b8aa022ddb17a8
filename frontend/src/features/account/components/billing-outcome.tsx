import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { PaymentProblem } from '#components/card-payment/payment-problem.tsx';
import { problemOf } from '#components/card-payment/problem.ts';
import { SettlingPayment } from '#components/card-payment/settling-payment.tsx';
import { useSettlement } from '#components/card-payment/use-settlement.ts';
import { waitingOf } from '#lib/waiting-of.ts';
import { accountKeys, confirmPayment } from '../api.ts';
import { BillingSuccess } from './billing-success.tsx';

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
