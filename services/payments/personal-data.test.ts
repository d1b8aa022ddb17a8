import { beforeEach, expect, test } from 'vitest';
import { withTransaction } from '#database/pool.ts';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { anonymizePayments, forgetOldPayments } from './personal-data.ts';

const database = useTestDatabase();
/** The first moment of 2032 in Norway: the accounts of 2026 have been kept for five years. */
const NEW_YEAR = new Date('2031-12-31T23:00:00Z');

beforeEach(() => emptyTables(database.pool, 'account', 'payment', 'stripe_event'));

/** A settled payment of an account, with its credit, its receipt and Stripe's event. */
async function settledAt(accountId: string, at: string): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into payment (purpose, account_id, payment_intent_id, amount_ore, service_days, state,
       created_at, settled_at)
     values ('extension', $1, 'pi_' || gen_random_uuid(), 14900, 30, 'settled',
       $2::timestamptz - interval '1 minute', $2) returning id`,
    [accountId, at],
  );
  const { id } = rows[0]!;
  await database.pool.query(
    `insert into credit (account_id, payment_id, reason, days) values ($1, $2, 'payment', 30)`,
    [accountId, id],
  );
  await database.pool.query(
    `insert into receipt (number, payment_id, amount_ore, vat_ore, vat_percent, service_days,
       period_start, period_end)
     select coalesce(max(number), 0) + 1, $1, 14900, 0, 0, 30, $2, $2 from receipt`,
    [id, at],
  );
  await database.pool.query(
    `insert into stripe_event (id, type, object_id, payment_intent_id)
     select 'evt_' || id, 'payment_intent.succeeded', payment_intent_id, payment_intent_id
     from payment where id = $1`,
    [id],
  );
  return id;
}

const forget = (limit = 100) =>
  withTransaction(database.pool, (tx) => forgetOldPayments(tx, { limit, at: NEW_YEAR }));

const left = async (table: string) =>
  (await database.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]!.n;

test('payments leave with all their records five years after the end of their year in Norway', async () => {
  const { id } = await createLearner(database.pool, { days: 0 });
  await settledAt(id, '2026-12-31T22:59:59Z');
  const newer = await settledAt(id, '2026-12-31T23:01:00Z');
  expect(await forget()).toBe(1);
  const { rows } = await database.pool.query('select id from payment');
  expect(rows).toEqual([{ id: newer }]);
  for (const table of ['receipt', 'stripe_event']) expect(await left(table)).toBe(1);
});

test('the days of a payment that has left stay in the ledger', async () => {
  const { id } = await createLearner(database.pool, { days: 0 });
  await settledAt(id, '2026-06-01T12:00:00Z');
  expect(await forget()).toBe(1);
  const { rows } = await database.pool.query(
    'select days, reason, payment_id from credit where account_id = $1',
    [id],
  );
  expect(rows).toEqual([{ days: 30, reason: 'grant', payment_id: null }]);
});

test('a payment stays as long as its last refund, or the end of its last dispute', async () => {
  const { id } = await createLearner(database.pool, { days: 0 });
  const refunded = await settledAt(id, '2026-12-30T12:00:00Z');
  await database.pool.query(
    `insert into refund (payment_id, amount_ore, reason, state, created_at, updated_at)
     values ($1, 100, 'withdrawal', 'succeeded', '2027-01-02', '2027-01-02')`,
    [refunded],
  );
  const disputed = await settledAt(id, '2026-12-30T12:00:00Z');
  await database.pool.query(
    `insert into dispute (stripe_dispute_id, payment_id, status, reason, amount_ore, opened_at)
     values ('dp_1', $1, 'lost', 'fraudulent', 100, '2027-02-01')`,
    [disputed],
  );
  const open = await settledAt(id, '2026-12-30T12:00:00Z');
  await database.pool.query(`update payment set dispute = 'open' where id = $1`, [open]);
  expect(await forget()).toBe(0);
  await database.pool.query(
    `update refund set updated_at = '2026-12-31';
     update dispute set status = 'won', opened_at = '2026-12-31', closed_at = '2027-02-01'`,
  );
  expect(await forget()).toBe(1);
  expect([await left('payment'), await left('dispute')]).toEqual([2, 1]);
  await database.pool.query(`update dispute set closed_at = '2026-12-31'`);
  expect(await forget()).toBe(1);
  expect([await left('payment'), await left('refund'), await left('dispute')]).toEqual([1, 0, 0]);
});

test('a payment that was never made leaves too, and one that is open stays', async () => {
  const { id } = await createLearner(database.pool, { days: 0 });
  await database.pool.query(
    `insert into payment (purpose, account_id, amount_ore, service_days, state, created_at, cancelled_at)
     values ('extension', $1, 14900, 30, 'cancelled', '2026-01-01', '2026-01-02'),
            ('extension', $1, 14900, 30, 'open', '2026-01-01', null)`,
    [id],
  );
  expect(await forget()).toBe(1);
  expect(await left('payment')).toBe(1);
});

test('a deletion removes the name of the buyer from packets that were never paid', async () => {
  const { id } = await createLearner(database.pool, { days: 0 });
  await database.pool.query(
    `with made as (
       insert into payment (purpose, email, username, amount_ore, service_days, state, created_at,
         cancelled_at, settled_at)
       values ('packet', 'buyer@example.no', 'Kjøper', 74500, 30, 'cancelled', now(), now(), null),
              ('packet', 'buyer@example.no', 'Kjøper', 74500, 30, 'settled', now(), null, now())
       returning id)
     insert into code_packet (payment_id, codes, organisation, organisation_number)
     select id, 5, 'Kjøper', '923609016' from made`,
  );
  await withTransaction(database.pool, (tx) =>
    anonymizePayments(tx, id, { email: 'buyer@example.no', placeholder: `deleted-${id}@invalid` }),
  );
  const { rows } = await database.pool.query(
    `select state, username, organisation, organisation_number
     from code_packet join payment on payment.id = payment_id order by state`,
  );
  const bought = 'Kjøper';
  expect(rows).toEqual([
    { state: 'cancelled', username: null, organisation: '-', organisation_number: null },
    { state: 'settled', username: bought, organisation: bought, organisation_number: '923609016' },
  ]);
});

test('a packet leaves with its codes, and the days of a used one stay in the ledger', async () => {
  const { id } = await createLearner(database.pool, { days: 0 });
  await database.pool.query(
    `with payment as (
       insert into payment (purpose, email, amount_ore, service_days, state, created_at, settled_at)
       values ('packet', 'skole@example.no', 74500, 30, 'settled', '2026-01-01', '2026-01-01')
       returning id
     ), packet as (
       insert into code_packet (payment_id, codes, organisation) select id, 5, 'Skole' from payment
     )
     select from payment`,
  );
  await database.pool.query(
    `with code as (
       insert into access_code (payment_id, hash, redeemed_at)
       select payment_id, decode(repeat('00', 32), 'hex'), '2026-02-01' from code_packet
       returning id)
     insert into credit (account_id, code_id, reason, days) select $1, id, 'code', 30 from code`,
    [id],
  );
  expect(await forget()).toBe(1);
  expect([await left('payment'), await left('code_packet'), await left('access_code')]).toEqual([
    0, 0, 0,
  ]);
  const { rows } = await database.pool.query('select days, reason, code_id from credit');
  expect(rows).toEqual([{ days: 30, reason: 'grant', code_id: null }]);
});
