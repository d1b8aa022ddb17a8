import {
  type Consumer,
  forEachEvent,
  type Handler,
  RetryLater,
} from '@proveklar/services/events/run-consumer.ts';
import { notifyLive } from '@proveklar/services/live/live.ts';
import { reconcile, type Reconciliation } from '@proveklar/services/payments/incoming/reconcile.ts';
import {
  processStripeEvent,
  requestReclaimedLink,
} from '@proveklar/services/payments/incoming/stripe-events.ts';
import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import { makeRefund } from '@proveklar/services/payments/refund.ts';
import { searchPayments } from '@proveklar/services/payments/search-payments.ts';
import { deleteInactive, resumeDeletion } from '@proveklar/services/privacy/delete-user.ts';

/** The payments queue. Jobs mostly wait for Stripe, so several run at a time. */
export function paymentsConsumer(
  deps: PaymentDeps,
  registrationGraceMs: number,
): Consumer<'payments'> {
  return {
    queue: 'payments',
    concurrency: 8,
    handlers: {
      'stripe.event_received': processStripeEventHandler(deps, registrationGraceMs),
      'refund.requested': makeRefundHandler(deps),
      'reconciliation.requested': reconcileHandler(deps),
      'payment.search_requested': searchPaymentsHandler(deps),
      'account.deletion_interrupted': completeDeletionHandler(deps),
      'account.deletion_due': deleteInactiveHandler(deps),
      'registration.reclaimed': requestReclaimedLinkHandler(deps),
    },
  };
}

/** Processes webhook events of Stripe. */
function processStripeEventHandler(deps: PaymentDeps, registrationGraceMs: number) {
  return forEachEvent<'stripe.event_received'>(async ({ stripe_event_id: id }, { log }) => {
    const outcome = await processStripeEvent(deps, id, registrationGraceMs);
    if (typeof outcome === 'object') throw new RetryLater(outcome.retryInMs);
    log.info({ stripe_event: id, outcome }, 'stripe event processed');
  });
}

/** Creates refunds at Stripe, each once. */
function makeRefundHandler(deps: PaymentDeps) {
  return forEachEvent<'refund.requested'>(async ({ refund_id }, { log }) => {
    const { id, state, failure } = await makeRefund(deps, refund_id);
    const level = state === 'failed' ? 'error' : 'info';
    log[level]({ refund: id, state, failure }, 'refund');
  });
}

/** Compares our books with Stripe's. Each part is idempotent; the batch is recorded at the end. */
function reconcileHandler(deps: PaymentDeps): Handler<'reconciliation.requested'> {
  return async (events, { once, log }) => {
    const done: Reconciliation[] = [];
    for (const { payload } of events) {
      const run = await reconcile(deps, payload.reconciliation_id);
      if (run) done.push(run);
    }
    const differing = done.filter(isDifferent);
    for (const { events_missed: missed, payments_changed: changed, ...rest } of differing) {
      const unknown = rest.unknown_intents;
      log.warn({ missed, changed, unknown }, 'our books differed from Stripe');
    }
    const shouldNotify = differing.length > 0 || done.some(({ requested_by }) => requested_by);
    await once((tx) => notifyLive(tx, shouldNotify ? [{ topic: 'payments' }] : []));
  };
}

function isDifferent({ events_missed, payments_changed, unknown_intents }: Reconciliation) {
  return events_missed + payments_changed + unknown_intents.length > 0;
}

/** Searches payments that a payer misses. */
function searchPaymentsHandler(deps: PaymentDeps) {
  return forEachEvent<'payment.search_requested'>(async ({ search_id: id }, { log }) => {
    const found = await searchPayments(deps, id);
    log.info({ search: id, found }, 'payment search');
  });
}

/** Completes interrupted deletions of accounts. On this queue, because it first cancels an open payment. */
function completeDeletionHandler(deps: PaymentDeps) {
  return forEachEvent<'account.deletion_interrupted'>(async ({ account_id: id }, { log }) => {
    await resumeDeletion(deps, id);
    log.info({ account: id }, 'deletion completed');
  });
}

/** Deletes accounts that are not used. */
function deleteInactiveHandler(deps: PaymentDeps) {
  return forEachEvent<'account.deletion_due'>(async ({ account_id: id }, { log }) => {
    const deleted = await deleteInactive(deps, id);
    log.info({ account: id, deleted }, 'inactive account');
  });
}

/** Requests the mail by which the owner of a reclaimed address chooses a password. */
function requestReclaimedLinkHandler(deps: PaymentDeps) {
  return forEachEvent<'registration.reclaimed'>(async ({ payment_id: id }, { log }) => {
    await requestReclaimedLink(deps, id);
    log.info({ payment: id }, 'password link for a reclaimed address');
  });
}
