import type { Transaction } from '#database/pool.ts';
import type { Payment } from './payment.ts';
import type { StripeState } from '#payments/stripe/stripe-state.ts';

/** Writes down which tries to pay a bank refused, each once. */
export async function recordDeclines(
  tx: Transaction,
  { id }: Payment,
  { declines }: StripeState,
): Promise<void> {
  if (declines.length === 0) return;
  await tx.query(
    `insert into card_decline (charge_id, payment_id, code, declined_at)
     select charge_id, $1, code, to_timestamp(declined)
     from unnest($2::text[], $3::text[], $4::float8[]) as row (charge_id, code, declined)
     on conflict (charge_id) do nothing`,
    [
      id,
      declines.map((charge) => charge.id),
      declines.map(({ outcome, failure_code }) => outcome?.reason ?? failure_code),
      declines.map(({ created }) => created),
    ],
  );
}
