import type { Queryable } from '#database/pool.ts';
import type { Receipt } from '#payments/receipts/receipt.ts';
import type { Refund } from '#payments/refunds/request-refund.ts';
import { toNok } from './to-nok.ts';

/** What belongs to a payment and is kept beside it. */
export type PaymentParts =
  Awaited<ReturnType<typeof readPaymentParts>> extends Map<string, infer P> ? P : never;

interface DisputeRow {
  payment_id: string;
  status: string;
  reason: string;
  amount_ore: number;
  opened_at: Date;
}

interface DeclineRow {
  payment_id: string;
  code: string | null;
  declined_at: Date;
}

/** Receipts, refunds, disputes and declined cards, by payment. */
export async function readPaymentParts(db: Queryable, paymentIds: string[]) {
  const of = async <Row extends { payment_id: string }>(text: string) =>
    Map.groupBy((await db.query<Row>(text, [paymentIds])).rows, ({ payment_id }) => payment_id);
  const receipts = await of<Receipt>('select * from receipt where payment_id = any($1)');
  const refunds = await of<Refund>(
    'select * from refund where payment_id = any($1) order by created_at',
  );
  const disputes = await of<DisputeRow>(
    'select * from dispute where payment_id = any($1) order by opened_at',
  );
  const declines = await of<DeclineRow>(
    'select * from card_decline where payment_id = any($1) order by declined_at',
  );
  return new Map(
    paymentIds.map((id) => {
      const [receipt] = receipts.get(id) ?? [];
      return [
        id,
        {
          receipt: receipt ? toReceipt(receipt) : null,
          refunds: (refunds.get(id) ?? []).map(toRefund),
          disputes: (disputes.get(id) ?? []).map(toDispute),
          declined_cards: (declines.get(id) ?? []).map(toDecline),
        },
      ] as const;
    }),
  );
}

function toReceipt(receipt: Receipt) {
  return {
    number: receipt.number,
    issued_at: receipt.issued_at.toISOString(),
    amount_nok: toNok(receipt.amount_ore),
    vat_nok: toNok(receipt.vat_ore),
    vat_percent: receipt.vat_percent,
    service_days: receipt.service_days,
    period_starts_at: receipt.period_start.toISOString(),
    period_ends_at: receipt.period_end.toISOString(),
    seller_name: receipt.seller_name,
    seller_organisation_number: receipt.seller_organisation_number,
    seller_address: receipt.seller_address,
  };
}

/** Who asked for it is left out where it was an administrator: that is somebody else. */
function toRefund({ amount_ore, reason, state, created_at, updated_at }: Refund) {
  return {
    amount_nok: toNok(amount_ore),
    reason,
    state,
    requested_at: created_at.toISOString(),
    changed_at: updated_at.toISOString(),
  };
}

function toDispute({ status, reason, amount_ore, opened_at }: DisputeRow) {
  return { status, reason, amount_nok: toNok(amount_ore), opened_at: opened_at.toISOString() };
}

function toDecline({ code, declined_at }: DeclineRow) {
  return { code, declined_at: declined_at.toISOString() };
}
