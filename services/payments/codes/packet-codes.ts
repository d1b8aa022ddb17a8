import type { Queryable, Transaction } from '#database/pool.ts';
import { emit } from '#events/outbox.ts';
import { issueReceipt } from '#payments/books/receipt.ts';
import type { Payment } from '#payments/payment.ts';
import { hashOfCode, newCode, sealCodes } from './code.ts';

/** How long codes can be redeemed. */
const VALID_MONTHS = 12;

/**
 * Makes the codes of a packet that was paid, with its receipt, in the transaction that settles the payment. The codes rest
 * encrypted until the buyer has kept them, so that a crash after the payment loses none.
 *
 * @param secret the key from which the packet's keys are derived
 */
export async function issueCodes(tx: Transaction, payment: Payment, secret: string): Promise<void> {
  const { id: paymentId, settled_at } = payment;
  const { rows } = await tx.query<{ codes: number; expires_at: Date }>(
    `update code_packet set expires_at = $2::timestamptz + make_interval(months => $3)
     where payment_id = $1 returning codes, expires_at`,
    [paymentId, settled_at, VALID_MONTHS],
  );
  const packet = rows[0];
  if (!packet) throw new Error(`Payment ${paymentId} has no packet`);
  const codes = Array.from({ length: packet.codes }, newCode);
  await tx.query(
    'insert into access_code (payment_id, hash) select $1, hash from unnest($2::bytea[]) as hash',
    [paymentId, codes.map(hashOfCode)],
  );
  await tx.query('update code_packet set sealed_codes = $2 where payment_id = $1', [
    paymentId,
    sealCodes(secret, paymentId, codes),
  ]);
  const validity = { starts_at: settled_at!, ends_at: packet.expires_at };
  await issueReceipt(tx, payment, validity);
  await emit(tx, 'packet.settled', { payment_id: paymentId });
}

/**
 * Withdraws as many unused codes as refunds and disputes of the packet require, or gives withdrawn ones back when a refund
 * failed or a dispute was won: all for an open or lost dispute, a share for refunds, rounded down. A requested refund counts,
 * so that no code is redeemed while its money is on its way back. Used codes stay used.
 *
 * The lock on the packet serializes it with redeeming.
 */
export async function withdrawCodes(
  tx: Transaction,
  { id, amount_ore, refunded_ore, dispute }: WithdrawalFacts,
): Promise<void> {
  const { rows } = await tx.query<{ codes: number }>(
    'select codes from code_packet where payment_id = $1 for update',
    [id],
  );
  const requested = await tx.query<{ ore: number }>(
    `select coalesce(sum(amount_ore), 0)::int as ore from refund
     where payment_id = $1 and state = 'requested'`,
    [id],
  );
  const codes = rows[0]!.codes;
  const isDisputed = dispute === 'open' || dispute === 'lost';
  const backOre = refunded_ore + requested.rows[0]!.ore;
  const target = isDisputed ? codes : Math.floor((codes * backOre) / amount_ore);
  const { withdrawn } = await countCodes(tx, id);
  if (target > withdrawn) {
    await tx.query(
      `update access_code set withdrawn_at = clock_timestamp(), reserved_for = null
       where id in (
         select id from access_code
         where payment_id = $1 and redeemed_at is null and withdrawn_at is null
         order by id limit $2)`,
      [id, target - withdrawn],
    );
  }
  if (target < withdrawn) {
    await tx.query(
      `update access_code set withdrawn_at = null
       where id in (
         select id from access_code where payment_id = $1 and withdrawn_at is not null
         order by withdrawn_at desc, id desc limit $2)`,
      [id, withdrawn - target],
    );
  }
}

type WithdrawalFacts = Pick<Payment, 'id' | 'amount_ore' | 'refunded_ore' | 'dispute'>;

/** How many codes of a packet are used, withdrawn, and neither. All 0 before it is settled. */
export interface CodeCounts {
  used: number;
  withdrawn: number;
  unused: number;
}

export async function countCodes(db: Queryable, paymentId: string): Promise<CodeCounts> {
  const { rows } = await db.query<CodeCounts>(
    `select count(redeemed_at)::int as used, count(withdrawn_at)::int as withdrawn,
       (count(*) - count(redeemed_at) - count(withdrawn_at))::int as unused
     from access_code where payment_id = $1`,
    [paymentId],
  );
  return rows[0]!;
}

/** A packet without its codes. */
export interface PacketSummary extends CodeCounts {
  organisation: string;
  organisation_number: string | null;
  codes: number;
  expires_at: Date | null;
}

export async function summarizePacket(db: Queryable, paymentId: string): Promise<PacketSummary> {
  const { rows } = await db.query<Omit<PacketSummary, keyof CodeCounts>>(
    `select organisation, organisation_number, codes, expires_at from code_packet
     where payment_id = $1`,
    [paymentId],
  );
  return { ...rows[0]!, ...(await countCodes(db, paymentId)) };
}

/** Days after the payment for which the codes are kept encrypted; a mail has them too. */
const SEALED_DAYS = 14;
/** A registration takes seconds; its address is kept as long as those of other attempts. */
const RESERVED_HOURS = 24;

/** Deletes codes that their buyer has not said to have kept, and addresses of registrations that were never completed. */
export async function forgetCodes(tx: Transaction): Promise<void> {
  await tx.query(
    `update code_packet set sealed_codes = null from payment
     where payment.id = payment_id and sealed_codes is not null
       and settled_at < clock_timestamp() - make_interval(days => $1)`,
    [SEALED_DAYS],
  );
  await tx.query(
    `update access_code set reserved_for = null
     where reserved_for is not null and reserved_at < clock_timestamp() - make_interval(hours => $1)`,
    [RESERVED_HOURS],
  );
}
