import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import {
  type Purchase as PurchaseBody,
  PurchaseParams,
  PurchasesResponse,
  ReceiptResponse,
  RefundResponse,
  WithdrawRequest,
} from '@proveklar/contract/payment.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import {
  findPurchase,
  findPendingPurchase,
  readPurchases,
  type Purchase,
  withdraw,
} from '@proveklar/services/payments/purchases.ts';
import type { Refund } from '@proveklar/services/payments/refund.ts';
import * as docs from '#openapi/examples/purchases.ts';
import { callerOf } from '#plugins/access.ts';

/** The caller's purchases: receipts, and withdrawal from a purchase. */
export const accountPaymentsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '',
    {
      config: { access: 'learner', docs: docs.listPurchases },
      schema: {
        tags: ['account'],
        summary: "The caller's purchases, with refunds",
        response: withErrors({ 200: PurchasesResponse }),
      },
    },
    async (request) => {
      const { db } = app.deps;
      const { id } = callerOf(request);
      // Read first: a payment that settles in between is then in both lists, never in neither.
      const under_way = await findPendingPurchase(db, id);
      const purchases = await readPurchases(db, id);
      return { payments: purchases.map(toPurchaseBody), under_way };
    },
  );

  app.get(
    '/:id',
    {
      config: { access: 'learner', docs: docs.readReceipt },
      schema: {
        tags: ['account'],
        summary: 'The receipt of a payment',
        params: PurchaseParams,
        response: withErrors({ 200: ReceiptResponse }),
      },
    },
    async (request) => {
      const { id: accountId, email } = callerOf(request);
      const purchase = await findPurchase(app.deps.db, accountId, request.params.id);
      if (!purchase) throw new AppError('payment_not_found');
      return toReceiptBody(purchase, email);
    },
  );

  app.post(
    '/:id/withdraw',
    {
      config: { access: 'learner', docs: docs.withdrawFromPurchase },
      schema: {
        tags: ['account'],
        summary: 'Withdraw from a purchase (idempotent)',
        params: PurchaseParams,
        body: WithdrawRequest,
        response: withErrors({ 200: RefundResponse }),
      },
    },
    async (request) => {
      const { params, body } = request;
      const refund = await withdraw(app.deps, {
        accountId: callerOf(request).id,
        paymentId: params.id,
        refundOre: body.refund_amount,
      });
      return toRefundBody(refund);
    },
  );
};

function toPurchaseBody(purchase: Purchase): PurchaseBody {
  const { service, withdrawal } = purchase;
  return {
    id: purchase.id,
    receipt_number: purchase.number,
    paid_at: purchase.settled_at.toISOString(),
    amount: purchase.amount_ore,
    vat: purchase.vat_ore,
    service_days: purchase.service_days,
    period: toPeriod(purchase.period_start, purchase.period_end),
    current_period: toPeriod(service.starts_at, service.ends_at),
    refunded: purchase.refunded_ore,
    state: stateOf(purchase),
    dispute: purchase.dispute,
    refunds: purchase.refunds.map(toRefundBody),
    withdrawal_until: purchase.withdrawal_until.toISOString(),
    withdrawal: withdrawal && {
      until: withdrawal.until.toISOString(),
      refund_amount: withdrawal.refund_ore,
    },
  };
}

function toReceiptBody(receipt: Purchase, email: string): ReceiptResponse {
  return {
    ...toPurchaseBody(receipt),
    issued_at: receipt.issued_at.toISOString(),
    vat_percent: receipt.vat_percent,
    seller: {
      name: receipt.seller_name,
      organisation_number: receipt.seller_organisation_number,
      address: receipt.seller_address,
    },
    buyer_email: email,
  };
}

/** A refund as its payer sees it. */
export function toRefundBody({
  id,
  amount_ore,
  reason,
  state,
  created_at,
}: Refund): RefundResponse {
  return { id, amount: amount_ore, reason, state, date: created_at.toISOString() };
}

function toPeriod(starts: Date, ends: Date): PurchaseBody['period'] {
  return { starts_at: starts.toISOString(), ends_at: ends.toISOString() };
}

function stateOf({ dispute, refunded_ore, amount_ore }: Purchase): PurchaseBody['state'] {
  if (dispute === 'open' || dispute === 'lost') return 'disputed';
  if (refunded_ore === 0) return 'paid';
  return refunded_ore >= amount_ore ? 'refunded' : 'partly_refunded';
}
