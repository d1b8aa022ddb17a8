import type { Receipt } from '@proveklar/services/payments/receipts/read-receipts.ts';
import type { Refund } from '@proveklar/services/payments/refunds/request-refund.ts';
import type { Purchase, ReceiptResponse, RefundResponse } from '@proveklar/contract/payment.ts';

export function toPurchaseBody(receipt: Receipt): Purchase {
  const { service, withdrawal } = receipt;
  return {
    id: receipt.id,
    receipt_number: receipt.number,
    paid_at: receipt.settled_at.toISOString(),
    amount: receipt.amount_ore,
    vat: receipt.vat_ore,
    service_days: receipt.service_days,
    period: toPeriod(receipt.period_start, receipt.period_end),
    current_period: toPeriod(service.starts_at, service.ends_at),
    refunded: receipt.refunded_ore,
    state: stateOf(receipt),
    dispute: receipt.dispute,
    refunds: receipt.refunds.map(toRefundBody),
    withdrawal_until: receipt.withdrawal_until.toISOString(),
    withdrawal: withdrawal && {
      until: withdrawal.until.toISOString(),
      refund_amount: withdrawal.refund_ore,
    },
  };
}

export function toReceiptBody(receipt: Receipt, email: string): ReceiptResponse {
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

export function toRefundBody({
  id,
  amount_ore,
  reason,
  state,
  created_at,
}: Refund): RefundResponse {
  return { id, amount: amount_ore, reason, state, date: created_at.toISOString() };
}

function toPeriod(starts: Date, ends: Date): Purchase['period'] {
  return { starts_at: starts.toISOString(), ends_at: ends.toISOString() };
}

function stateOf({ dispute, refunded_ore, amount_ore }: Receipt): Purchase['state'] {
  if (dispute === 'open' || dispute === 'lost') return 'disputed';
  if (refunded_ore === 0) return 'paid';
  return refunded_ore >= amount_ore ? 'refunded' : 'partly_refunded';
}
