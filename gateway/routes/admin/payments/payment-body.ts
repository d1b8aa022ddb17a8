import type { ListedPayment } from '@proveklar/services/payments/overview/list-payments.ts';
import type { PaymentDetails } from '@proveklar/services/payments/overview/read-payment.ts';
import type { Reconciliation } from '@proveklar/services/payments/reconciliation/reconcile.ts';
import type { Refund } from '@proveklar/services/payments/refunds/request-refund.ts';
import type {
  ListedPayment as ListedBody,
  PaymentDetails as DetailsBody,
  PaymentRefund,
  Reconciliation as ReconciliationBody,
} from '@proveklar/contract/admin-payments.ts';

export function toListedBody(payment: ListedPayment): ListedBody {
  return {
    ...payment,
    created_at: payment.created_at.toISOString(),
    paid_at: iso(payment.paid_at),
  };
}

export function toRefundBody(refund: Refund): PaymentRefund {
  const { id, amount_ore, reason, state, requested_by, failure, stripe_refund_id } = refund;
  const created_at = refund.created_at.toISOString();
  return {
    id,
    amount: amount_ore,
    reason,
    state,
    requested_by,
    failure,
    stripe_refund_id,
    created_at,
  };
}

export function toReconciliationBody(run: Reconciliation): ReconciliationBody {
  return {
    ...run,
    since: iso(run.since),
    created_at: run.created_at.toISOString(),
    done_at: iso(run.done_at),
  };
}

/** @param secretKey tells whether Stripe shows the payment among the real ones or the tests */
export function toDetailsBody(payment: PaymentDetails, secretKey: string): DetailsBody {
  const { account_id: _id, consent_version, consented_at, receipt, credit, ...rest } = payment;
  return {
    ...rest,
    created_at: rest.created_at.toISOString(),
    paid_at: iso(rest.paid_at),
    cancelled_at: iso(payment.cancelled_at),
    stripe_url: payment.payment_intent_id && stripeUrl(payment.payment_intent_id, secretKey),
    consent:
      consent_version && consented_at
        ? { version: consent_version, at: consented_at.toISOString() }
        : null,
    credit: credit && {
      days: credit.days,
      taken_back: credit.days_taken_back,
      starts_at: credit.starts_at.toISOString(),
      ends_at: credit.ends_at.toISOString(),
    },
    receipt: receipt && {
      number: receipt.number,
      issued_at: receipt.issued_at.toISOString(),
      amount: receipt.amount_ore,
      vat: receipt.vat_ore,
    },
    refunds: payment.refunds.map(toRefundBody),
    disputes: payment.disputes.map(({ stripe_dispute_id: id, amount_ore: amount, ...dispute }) => ({
      ...dispute,
      id,
      amount,
      evidence_due_at: iso(dispute.evidence_due_at),
      opened_at: dispute.opened_at.toISOString(),
    })),
    refusals: payment.refusals.map(({ charge_id: id, code, declined_at }) => ({
      id,
      code,
      at: declined_at.toISOString(),
    })),
    events: payment.events.map((event) => ({
      ...event,
      received_at: event.received_at.toISOString(),
      processed_at: iso(event.processed_at),
    })),
  };
}

function stripeUrl(paymentIntentId: string, secretKey: string): string {
  const mode = /^(sk|rk)_live_/.test(secretKey) ? '' : 'test/';
  return `https://dashboard.stripe.com/${mode}payments/${paymentIntentId}`;
}

function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
