import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Readable } from 'node:stream';
import {
  type ListedPayment,
  OrderHeaders,
  PaymentDetails,
  PaymentParams,
  PaymentRefund,
  PaymentsQuery,
  PaymentsResponse,
  PaymentSummary,
  Reconciliation,
  ReconciliationRequest,
  RefundRequest,
} from '@proveklar/contract/admin-payments.ts';
import { EmptyBody, withErrors } from '@proveklar/contract/common.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { resyncPayment } from '@proveklar/services/payments/incoming/compare-payments.ts';
import {
  findReconciliation,
  orderReconciliation,
  type Reconciliation as ReconciliationRecord,
} from '@proveklar/services/payments/incoming/reconcile.ts';
import {
  type ListedPayment as ListedRecord,
  listPayments,
  type PaymentDetails as PaymentRecord,
  readPayment,
  summarizePayments,
} from '@proveklar/services/payments/overview.ts';
import { type Refund, refundPayment } from '@proveklar/services/payments/refund.ts';
import { FunnelResponse, MoneyQuery, MoneyResponse } from '@proveklar/contract/money.ts';
import {
  exportLedger,
  readMoney,
  recordLedgerExport,
} from '@proveklar/services/payments/books/ledger.ts';
import { readFunnel } from '@proveklar/services/portal/funnel.ts';
import * as docs from '#openapi/examples/admin-payments.ts';
import { identityOf } from '#plugins/access.ts';
import * as moneyDocs from '#openapi/examples/money.ts';

/** Payments for administrators: lists, details, refunds, and reconciliation with Stripe. */
export const adminPaymentsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db, isLive } = app.deps;
  const read = async (id: string) => toDetailsBody(await readPayment(db, id), isLive);

  app.get(
    '/',
    {
      config: { access: 'support', docs: docs.listPayments },
      schema: {
        tags: ['admin'],
        summary: 'Payments, newest first',
        querystring: PaymentsQuery,
        response: withErrors({ 200: PaymentsResponse }),
      },
    },
    async ({ query: { status, purpose, attention, search, before } }) => {
      const filter = { status, purpose, attention: attention !== undefined, search, before };
      const { payments, next_before } = await listPayments(db, filter);
      return { payments: payments.map(toListedBody), next_before };
    },
  );

  app.get(
    '/summary',
    {
      config: { access: 'support', docs: docs.summarizePayments },
      schema: {
        tags: ['admin'],
        summary: 'Payments by status, and the last reconciliation with Stripe',
        response: withErrors({ 200: PaymentSummary }),
      },
    },
    async () => {
      const { reconciliation, running, ...summary } = await summarizePayments(db);
      return {
        ...summary,
        reconciliation: reconciliation && toReconciliationBody(reconciliation),
        running: running && toReconciliationBody(running),
      };
    },
  );

  app.post(
    '/reconciliations',
    {
      config: { access: 'owner', docs: docs.requestReconciliation },
      schema: {
        tags: ['admin'],
        summary: 'Start a reconciliation with Stripe',
        body: ReconciliationRequest,
        response: withErrors({ 202: Reconciliation }),
      },
    },
    async (request, reply) => {
      const { since } = request.body;
      const run = await orderReconciliation(db, {
        since: since === undefined ? null : new Date(since),
        actor: identityOf(request),
      });
      return reply.status(202).send(toReconciliationBody(run));
    },
  );

  app.get(
    '/reconciliations/:id',
    {
      config: { access: 'support', docs: docs.readReconciliation },
      schema: {
        tags: ['admin'],
        summary: 'The state of a reconciliation with Stripe',
        params: PaymentParams,
        response: withErrors({ 200: Reconciliation }),
      },
    },
    async ({ params }) => {
      const run = await findReconciliation(db, params.id);
      if (!run) throw new AppError('not_found');
      return toReconciliationBody(run);
    },
  );

  app.get(
    '/:id',
    {
      config: { access: 'support', docs: docs.readPayment },
      schema: {
        tags: ['admin'],
        summary: 'All details of a payment',
        params: PaymentParams,
        response: withErrors({ 200: PaymentDetails }),
      },
    },
    async ({ params }) => read(params.id),
  );

  app.post(
    '/:id/sync',
    {
      config: { access: 'owner', docs: docs.syncPayment },
      schema: {
        tags: ['admin'],
        summary: 'Synchronize a payment with Stripe now',
        params: PaymentParams,
        body: EmptyBody,
        response: withErrors({ 200: PaymentDetails }),
      },
    },
    async (request) => {
      const { id } = request.params;
      await resyncPayment(app.deps, { paymentId: id, actor: identityOf(request) });
      return read(id);
    },
  );

  app.post(
    '/:id/refund',
    {
      config: { access: 'owner', docs: docs.refundPayment },
      schema: {
        tags: ['admin'],
        summary: 'Refund a payment',
        params: PaymentParams,
        headers: OrderHeaders,
        body: RefundRequest,
        response: withErrors({ 202: PaymentRefund }),
      },
    },
    async (request, reply) => {
      const { amount, reason_note } = request.body;
      const refund = await refundPayment(db, {
        paymentId: request.params.id,
        amountOre: amount ?? null,
        note: reason_note?.trim() ?? null,
        key: request.headers['idempotency-key'],
        actor: identityOf(request),
      });
      return reply.status(202).send(toRefundBody(refund));
    },
  );
};

/** A payment of a list as the API returns it. */
export function toListedBody(payment: ListedRecord): ListedPayment {
  return {
    ...payment,
    created_at: payment.created_at.toISOString(),
    paid_at: iso(payment.paid_at),
  };
}

function toRefundBody(refund: Refund): PaymentRefund {
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

function toReconciliationBody(run: ReconciliationRecord): Reconciliation {
  return {
    ...run,
    since: iso(run.since),
    created_at: run.created_at.toISOString(),
    done_at: iso(run.done_at),
  };
}

/** @param isLive whether the link leads to Stripe's live dashboard, or to that of test mode */
function toDetailsBody(payment: PaymentRecord, isLive: boolean): PaymentDetails {
  const {
    account_id: _id,
    consent_version,
    consented_at,
    receipt,
    packet,
    credit,
    ...rest
  } = payment;
  return {
    ...rest,
    created_at: rest.created_at.toISOString(),
    paid_at: iso(rest.paid_at),
    cancelled_at: iso(payment.cancelled_at),
    stripe_url: payment.payment_intent_id && stripeUrl(payment.payment_intent_id, isLive),
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
    packet: packet && { ...packet, expires_at: iso(packet.expires_at) },
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

function stripeUrl(paymentIntentId: string, isLive: boolean): string {
  const mode = isLive ? '' : 'test/';
  return `https://dashboard.stripe.com/${mode}payments/${paymentIntentId}`;
}

function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}

/** The accounts and the funnel, for owners. */
export const moneyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;

  app.get(
    '/',
    {
      config: { access: 'owner', docs: moneyDocs.readMoney },
      schema: {
        tags: ['admin'],
        summary: 'What was sold and what went back, by month or day, compared with Stripe',
        querystring: MoneyQuery,
        response: withErrors({ 200: MoneyResponse }),
      },
    },
    async ({ query: { period } }) => {
      const { stripe, ...figures } = await readMoney(db, period);
      const { readAt, ...comparison } = stripe;
      return { ...figures, stripe: { read_at: readAt?.toISOString() ?? null, ...comparison } };
    },
  );

  app.get(
    '/funnel',
    {
      config: { access: 'owner', docs: moneyDocs.readFunnel },
      schema: {
        tags: ['admin'],
        summary: 'The way from the free sample to practising, as counts',
        querystring: MoneyQuery,
        response: withErrors({ 200: FunnelResponse }),
      },
    },
    ({ query: { period } }) => readFunnel(db, period),
  );

  // A download, hence not in the API document.
  app.get(
    '/ledger',
    {
      config: { access: 'owner', unboundedDuration: true },
      schema: { hide: true, querystring: MoneyQuery },
    },
    async (request, reply) => {
      const { period } = request.query;
      await recordLedgerExport(db, { actor: identityOf(request), period });
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="proveklar-regnskap-${period}.csv"`)
        .send(Readable.from(exportLedger(db, period)));
    },
  );
};
