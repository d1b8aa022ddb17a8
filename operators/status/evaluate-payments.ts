import type {
  AttentionCounts,
  readReconciled,
  WebhookHistory,
} from '@proveklar/services/payments/incoming/reconcile.ts';
import { coded, duration, fault, type Finding, ok, warning } from './finding.ts';
import { START_WORKERS } from './evaluate-queues.ts';
import {
  COMPARED_WARNING_S,
  STRIPE_READ_FAULT_S,
  UNKNOWN_DAYS,
  WEBHOOK_SILENT_S,
} from './thresholds.ts';

export type Reconciled = Awaited<ReturnType<typeof readReconciled>>;

/** Whether workers fetch events that no webhook delivered from Stripe, every minute. */
export function evaluateReconciliation({ missedSeconds: seconds }: Reconciled): Finding {
  if (seconds === null)
    return coded(
      'never_reconciled',
      fault('no worker has ever fetched events from Stripe', START_WORKERS),
    );
  const ago = `the last reconciliation was ${duration(seconds)} ago`;
  if (seconds <= STRIPE_READ_FAULT_S) return coded('reconciled', ok(ago), { ago_s: seconds });
  const late = fault(`${ago}; one is due every minute`, START_WORKERS, seconds);
  return coded('reconciliation_late', late, { ago_s: seconds });
}

/** Whether payments are compared with Stripe one by one, every day. */
export function evaluateComparison({ comparedSeconds: seconds }: Reconciled): Finding {
  if (seconds !== null && seconds <= COMPARED_WARNING_S) {
    return coded('compared', ok(`payments were compared one by one ${duration(seconds)} ago`), {
      ago_s: seconds,
    });
  }
  const when = seconds === null ? 'never' : `${duration(seconds)} ago`;
  const late = warning(
    `payments were last compared one by one: ${when}`,
    'Compare them by hand, as docs/operations/payments.md says under "Reconciliation".',
  );
  if (seconds === null) return coded('compared_never', late);
  return coded('compared_late', late, { ago_s: seconds });
}

/** Whether payments need an administrator's attention. */
export function evaluateAttention(attention: AttentionCounts): Finding {
  const reasons = Object.entries(attention);
  if (reasons.length === 0) return coded('attention_none', ok('no payment needs attention'));
  const sum = reasons.reduce((total, [, count]) => total + count, 0);
  const list = reasons.map(([reason, count]) => `${reason} ${count}`).join(', ');
  // A warning only: the service works, and an open dispute waits for the bank.
  const found = warning(
    `${sum} ${sum === 1 ? 'payment needs' : 'payments need'} attention: ${list}`,
    'Look at them in the admin portal, Payments; docs/operations/payments.md says what to do for each reason.',
  );
  return coded('attention', found, { count: sum, reasons: list });
}

/** Whether Stripe has paid PaymentIntents that our records lack. */
export function evaluateUnknownPayments(intents: readonly string[]): Finding {
  if (intents.length === 0) {
    return coded(
      'unknown_none',
      ok(`all PaymentIntents paid at Stripe in ${UNKNOWN_DAYS} days are recorded here`),
      { days: UNKNOWN_DAYS },
    );
  }
  const list = intents.join(', ');
  const found = fault(
    `paid at Stripe and not in our books: ${list}`,
    'Handle each as docs/operations/payments.md says under "Reconciliation".',
  );
  return coded('unknown', found, { intents: list });
}

/** Whether Stripe's webhook events arrive. */
export function evaluateWebhook(history: WebhookHistory, now = Date.now()): Finding {
  const { lastHeardAt, lastSettledAt, heard, missed } = history;
  const paidMs = lastSettledAt?.getTime() ?? 0;
  const heardMs = lastHeardAt?.getTime() ?? 0;
  const silentMs = WEBHOOK_SILENT_S * 1000;
  if (paidMs > 0 && now - paidMs > silentMs && heardMs < paidMs - silentMs) {
    const ago = (now - paidMs) / 1000;
    const silent = fault(
      `no webhook event came since the payment of ${duration(ago)} ago`,
      "Compare STRIPE_WEBHOOK_SECRET with the endpoint's secret in Stripe, and see there what the endpoint answered.",
      ago,
    );
    return coded('webhook_silent', silent, { ago_s: ago });
  }
  if (missed > 0) {
    const found = warning(
      `${missed} of ${heard + missed} events of the last day came by reconciliation, not by the webhook`,
      'See in Stripe, Developers, Webhooks, what the endpoint answered.',
    );
    return coded('webhook_missed', found, { missed, all: heard + missed });
  }
  if (heardMs === 0) return coded('webhook_none', ok('no payment and no webhook event yet'));
  const ago = (now - heardMs) / 1000;
  return coded('webhook_heard', ok(`the last webhook event came ${duration(ago)} ago`), {
    ago_s: ago,
  });
}
