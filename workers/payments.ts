import {
  type Consumer,
  type Handler,
  RetryLater,
} from '@proveklar/services/events/run-consumer.ts';
import { notifyLive } from '@proveklar/services/live/live.ts';
import { reconcile, type Reconciliation } from '@proveklar/services/payments/incoming/reconcile.ts';
import {
  mailReclaimed,
  processStripeEvent,
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
      'registration.reclaimed': mailReclaimedHandler(deps),
    },
  };
}

/** Processes webhook events of Stripe. Settling is idempotent; the batch is recorded at the end. */
function processStripeEventHandler(
  deps: PaymentDeps,
  registrationGraceMs: number,
): Handler<'stripe.event_received'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      const outcome = await processStripeEvent(deps, payload.stripe_event_id, registrationGraceMs);
      if (typeof outcome === 'object') throw new RetryLater(outcome.retryInMs);
      log.info({ stripe_event: payload.stripe_event_id, outcome }, 'stripe event processed');
    }
    await once(async () => {});
  };
}

/** Creates refunds at Stripe. Each is created once; the batch is recorded at the end. */
function makeRefundHandler(deps: PaymentDeps): Handler<'refund.requested'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      const { id, state, failure } = await makeRefund(deps, payload.refund_id);
      const level = state === 'failed' ? 'error' : 'info';
      log[level]({ refund: id, state, failure }, 'refund');
    }
    await once(async () => {});
  };
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

/** Searches payments that a payer misses. Each part is idempotent; the batch is recorded at the end. */
function searchPaymentsHandler(deps: PaymentDeps): Handler<'payment.search_requested'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      const found = await searchPayments(deps, payload.search_id);
      log.info({ search: payload.search_id, found }, 'payment search');
    }
    await once(async () => {});
  };
}

/**
 * Completes interrupted deletions of accounts. On this queue, because it first cancels an open payment.
 * Each part is idempotent; the batch is recorded at the end.
 */
function completeDeletionHandler(deps: PaymentDeps): Handler<'account.deletion_interrupted'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      await resumeDeletion(deps, payload.account_id);
      log.info({ account: payload.account_id }, 'deletion completed');
    }
    await once(async () => {});
  };
}

/** Deletes accounts that are not used. Each deletion is idempotent; the batch is recorded at the end. */
function deleteInactiveHandler(deps: PaymentDeps): Handler<'account.deletion_due'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      const deleted = await deleteInactive(deps, payload.account_id);
      log.info({ account: payload.account_id, deleted }, 'inactive account');
    }
    await once(async () => {});
  };
}

/**
 * Mails the owner of a reclaimed address a link for choosing a password. The batch is recorded after
 * the mail was sent: only a worker that dies in between causes a second mail.
 */
function mailReclaimedHandler(deps: PaymentDeps): Handler<'registration.reclaimed'> {
  return async (events, { once, log }) => {
    for (const { payload } of events) {
      await mailReclaimed(deps, payload.payment_id);
      log.info({ payment: payload.payment_id }, 'password link for a reclaimed address');
    }
    await once(async () => {});
  };
}
