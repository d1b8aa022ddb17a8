import type {
  AttentionCounts,
  readReconciled,
  WebhookHistory,
} from '@proveklar/services/payments/incoming/reconcile.ts';
import { duration, fault, type Finding, ok, warning } from './finding.ts';
import { START_WORKERS } from './judge-queues.ts';
import {
  COMPARED_WARNING_S,
  STRIPE_READ_FAULT_S,
  UNKNOWN_DAYS,
  WEBHOOK_SILENT_S,
} from './thresholds.ts';

export type Reconciled = Awaited<ReturnType<typeof readReconciled>>;

/** Whether Stripe is asked every minute for what it did not tell. */
export function judgeStripeRead({ missedSeconds: seconds }: Reconciled): Finding {
  if (seconds === null) return fault('no worker has ever asked Stripe for events', START_WORKERS);
  const ago = `the last reconciliation was ${duration(seconds)} ago`;
  if (seconds <= STRIPE_READ_FAULT_S) return ok(ago);
  return fault(`${ago}; one is due every minute`, START_WORKERS, seconds);
}

/** Whether payments are compared with Stripe's, one by one. */
export function judgeCompared({ comparedSeconds: seconds }: Reconciled): Finding {
  if (seconds !== null && seconds <= COMPARED_WARNING_S) {
    return ok(`payments were compared one by one ${duration(seconds)} ago`);
  }
  const when = seconds === null ? 'never' : `${duration(seconds)} ago`;
  return warning(
    `payments were last compared one by one: ${when}`,
    'Compare them by hand, as docs/operations/payments.md says under "Reconciliation".',
  );
}

/** Whether payments wait for a person. */
export function judgeAttention(attention: AttentionCounts): Finding {
  const reasons = Object.entries(attention);
  if (reasons.length === 0) return ok('no payment needs a person');
  const sum = reasons.reduce((total, [, count]) => total + count, 0);
  const list = reasons.map(([reason, count]) => `${reason} ${count}`).join(', ');
  // The service works: it is a person's work that waits, and an open dispute waits for the bank too.
  return warning(
    `${sum} ${sum === 1 ? 'payment needs' : 'payments need'} a person: ${list}`,
    'Look at them in the admin portal, Payments; docs/operations/payments.md says what each reason asks for.',
  );
}

/** Whether anything was paid at Stripe that our books do not have. */
export function judgeUnknown(intents: readonly string[]): Finding {
  if (intents.length === 0) {
    return ok(`nothing paid at Stripe in ${UNKNOWN_DAYS} days is unknown here`);
  }
  return fault(
    `paid at Stripe and not in our books: ${intents.join(', ')}`,
    'Do with each what docs/operations/payments.md says under "Reconciliation".',
  );
}

/** Whether Stripe tells us what happens. */
export function judgeWebhook(history: WebhookHistory, now = Date.now()): Finding {
  const { lastHeardAt, lastSettledAt, heard, missed } = history;
  const paidMs = lastSettledAt?.getTime() ?? 0;
  const heardMs = lastHeardAt?.getTime() ?? 0;
  const silentMs = WEBHOOK_SILENT_S * 1000;
  if (paidMs > 0 && now - paidMs > silentMs && heardMs < paidMs - silentMs) {
    const ago = (now - paidMs) / 1000;
    return fault(
      `nothing was heard of the webhook since the payment of ${duration(ago)} ago`,
      "Compare STRIPE_WEBHOOK_SECRET with the endpoint's secret in Stripe, and see there what the endpoint answered.",
      ago,
    );
  }
  if (missed > 0) {
    return warning(
      `${missed} of ${heard + missed} events of the last day came by the reconciliation only`,
      'See in Stripe, Developers, Webhooks, what the endpoint answered.',
    );
  }
  if (heardMs === 0) return ok('no payment yet, and nothing heard');
  return ok(`the webhook was last heard ${duration((now - heardMs) / 1000)} ago`);
}
