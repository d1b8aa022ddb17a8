import type { Queryable } from '#database/pool.ts';
import type { Payment } from '#payments/payment.ts';
import { toNok } from './to-nok.ts';
import { readPaymentParts, type PaymentParts } from './read-parts.ts';

type Row = Pick<
  Payment,
  | 'id'
  | 'purpose'
  | 'payment_intent_id'
  | 'email'
  | 'username'
  | 'language'
  | 'amount_ore'
  | 'refunded_ore'
  | 'service_days'
  | 'created_at'
  | 'settled_at'
  | 'cancelled_at'
  | 'cancel_reason'
  | 'consent_version'
  | 'consented_at'
> & { outcome: string; client_address: string | null };

const COLUMNS = `
  id, purpose, payment_intent_id, email, username, language, amount_ore, refunded_ore, service_days,
  created_at, settled_at, cancelled_at, cancel_reason, consent_version, consented_at, outcome,
  client_address`;

/** All payments of an account, also those that were never made, the newest first. */
export async function exportPayments(db: Queryable, accountId: string) {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from payment where account_id = $1 order by created_at desc, id desc`,
    [accountId],
  );
  return withParts(db, rows);
}

/**
 * Registrations that were begun under an address and became no account. From where is left out:
 * anybody can begin one under any address.
 */
export async function exportPaymentsUnder(db: Queryable, email: string) {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from payment where account_id is null and email = $1
     order by created_at desc, id desc`,
    [email],
  );
  return withParts(
    db,
    rows.map((row) => ({ ...row, client_address: null })),
  );
}

async function withParts(db: Queryable, rows: Row[]) {
  const parts = await readPaymentParts(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toExported(row, parts.get(row.id)));
}

const NONE: PaymentParts = { receipt: null, refunds: [], disputes: [], declined_cards: [] };

function toExported(row: Row, parts = NONE) {
  return {
    id: row.id,
    kind: row.purpose,
    state: row.outcome,
    begun_at: row.created_at.toISOString(),
    paid_at: row.settled_at?.toISOString() ?? null,
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
    cancel_reason: row.cancel_reason,
    amount_nok: toNok(row.amount_ore),
    refunded_nok: toNok(row.refunded_ore),
    service_days: row.service_days,
    email: row.email,
    name: row.username,
    language: row.language,
    network_address: row.client_address,
    stripe_payment_intent: row.payment_intent_id,
    consent:
      row.consent_version === null
        ? null
        : { version: row.consent_version, given_at: row.consented_at!.toISOString() },
    ...parts,
  };
}
