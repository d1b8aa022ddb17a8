import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import {
  findReceipt,
  findUnderWay,
  readReceipts,
} from '@proveklar/services/payments/receipts/read-receipts.ts';
import { withdraw } from '@proveklar/services/payments/refunds/withdraw.ts';
import * as docs from '#openapi/examples/purchases.ts';
import {
  PurchaseParams,
  PurchasesResponse,
  ReceiptResponse,
  RefundResponse,
  WithdrawRequest,
} from '@proveklar/contract/payment.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { callerOf } from '#plugins/access.ts';
import { toPurchaseBody, toReceiptBody, toRefundBody } from './payment-body.ts';

export const accountPaymentsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '',
    {
      config: { access: 'learner', docs: docs.listPurchases },
      schema: {
        tags: ['account'],
        summary: 'What one has paid, and what became of it',
        response: withErrors({ 200: PurchasesResponse }),
      },
    },
    async (request) => {
      const { db } = app.deps;
      const { id } = callerOf(request);
      // First: what settles in between is then in both, and never in neither.
      const under_way = await findUnderWay(db, id);
      const receipts = await readReceipts(db, id);
      return { payments: receipts.map(toPurchaseBody), under_way };
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
      const receipt = await findReceipt(app.deps.db, accountId, request.params.id);
      if (!receipt) throw new AppError('payment_not_found');
      return toReceiptBody(receipt, email);
    },
  );

  app.post(
    '/:id/withdraw',
    {
      config: { access: 'learner', docs: docs.withdrawFromPurchase },
      schema: {
        tags: ['account'],
        summary: 'Withdraw from a purchase; again changes nothing',
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
