import type { PaymentRefund, RefundRequest } from '@proveklar/contract/admin-payments.ts';
import { api } from '#lib/api-client.ts';

type RefundOrder = {
  id: string;
  /** The same order sent again under the same key is made once. */
  key: string;
  body: RefundRequest;
};

/** Orders money to be paid back. */
export function refundPayment({ id, key, body }: RefundOrder): Promise<PaymentRefund> {
  return api(`/admin/payments/${encodeURIComponent(id)}/refund`, {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body,
    signedIn: true,
  });
}
