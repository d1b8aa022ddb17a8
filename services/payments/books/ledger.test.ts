import { beforeEach, describe, expect, test } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { exportLedger, readMoney } from './ledger.ts';

const database = useTestDatabase();
beforeEach(async () => {
  await emptyTables(
    database.pool,
    'payment',
    'receipt',
    'refund',
    'dispute',
    'balance_transaction',
    'balance_reading',
  );
});

let number = 0;

interface Sale {
  at: string;
  amount?: number;
  percent?: number;
  method?: string;
}

/** A payment with its receipt. Returns its id. */
async function sold({ at, amount = 149_00, percent = 25, method = 'card' }: Sale): Promise<string> {
  number += 1;
  const { rows } = await database.pool.query<{ id: string }>(
    `with person as (
       insert into account (uid, email) values ($1, $1 || '@example.no') returning id),
     paid as (
       insert into payment (purpose, account_id, payment_intent_id, amount_ore, service_days, state,
         intent_status, created_at, settled_at, method)
       select 'extension', id, 'pi_' || $1, $2, 30, 'settled', 'succeeded', $3, $3, $5 from person
       returning id, amount_ore, created_at)
     insert into receipt (number, payment_id, issued_at, amount_ore, vat_ore, vat_percent,
       service_days, period_start, period_end)
     select $1::int, id, created_at, amount_ore, round(amount_ore * $4::numeric / (100 + $4)), $4, 30,
       created_at, created_at from paid returning payment_id as id`,
    [String(number), amount, at, percent, method],
  );
  return rows[0]!.id;
}

async function refunded(
  payment: string,
  { ore, at, state = 'succeeded' }: { ore: number; at: string; state?: string },
): Promise<void> {
  await database.pool.query(
    `insert into refund (payment_id, stripe_refund_id, amount_ore, reason, state, made_at, updated_at)
     values ($1, case when $4 <> 'requested' then 're_' || gen_random_uuid() end, $2, 'administrator',
       $4, $3, $3::timestamptz + interval '1 day')`,
    [payment, ore, at, state],
  );
}

async function disputed(
  payment: string,
  { status, at, closed = null }: { status: string; at: string; closed?: string | null },
): Promise<void> {
  await database.pool.query(
    `insert into dispute (stripe_dispute_id, payment_id, status, reason, amount_ore, opened_at, closed_at)
     values ('du_' || gen_random_uuid(), $1, $2, 'fraudulent', 14900, $3, $4)`,
    [payment, status, at, closed],
  );
}

const linesOf = async (period: string) =>
  (await Array.fromAsync(exportLedger(database.pool, period)))
    .join('')
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(';'));

describe('a day', () => {
  test('begins at midnight in Oslo, in summer and winter', async () => {
    await sold({ at: '2025-12-31T22:59:00Z' });
    await sold({ at: '2025-12-31T23:00:00Z' });
    await sold({ at: '2025-06-30T21:59:00Z' });
    await sold({ at: '2025-06-30T22:00:00Z' });
    const grossOf = async (period: string) => (await readMoney(database.pool, period)).total.gross;
    expect(await grossOf('2025')).toBe(3 * 149_00);
    expect(await grossOf('2025-06')).toBe(149_00);
    expect(await grossOf('2025-07')).toBe(149_00);
    const { rows } = await readMoney(database.pool, '2025-07');
    expect(rows.at(-1)).toMatchObject({ period: '2025-07-01', sales: 1, gross: 149_00 });
    expect((await linesOf('2025-07')).map((line) => line.slice(0, 3))).toEqual([
      ['01.07.2025', '00:00', 'Salg'],
    ]);
  });

  test('on which clocks change has all its sales', async () => {
    await sold({ at: '2025-10-25T22:00:00Z' });
    await sold({ at: '2025-10-26T22:59:00Z' });
    const { rows } = await readMoney(database.pool, '2025-10');
    expect(rows.find(({ period }) => period === '2025-10-26')).toMatchObject({ sales: 2 });
  });
});

describe('VAT', () => {
  test('of refunds in parts adds up to that of the receipt', async () => {
    const id = await sold({ at: '2025-03-01T12:00:00Z', amount: 99_99 });
    for (const [n, ore] of [33_33, 33_33, 33_33].entries()) {
      await refunded(id, { ore, at: `2025-03-0${n + 2}T12:00:00Z` });
    }
    const { total } = await readMoney(database.pool, '2025-03');
    expect(total).toMatchObject({ gross: 99_99, refunded: 99_99, vat: 0, net: 0 });
  });

  test('keeps the rate of its receipt, also none', async () => {
    const id = await sold({ at: '2025-03-01T12:00:00Z', percent: 0 });
    await refunded(id, { ore: 100_00, at: '2025-03-02T12:00:00Z' });
    expect((await readMoney(database.pool, '2025-03')).total).toMatchObject({ vat: 0, net: 49_00 });
  });
});

describe('what moves no money', () => {
  test('is a refund that Stripe never made, and an inquiry of a bank', async () => {
    const id = await sold({ at: '2025-03-01T12:00:00Z' });
    await refunded(id, { ore: 50_00, at: '2025-03-02T12:00:00Z', state: 'requested' });
    await disputed(id, { status: 'warning_needs_response', at: '2025-03-02T12:00:00Z' });
    await disputed(id, { status: 'prevented', at: '2025-03-02T12:00:00Z' });
    expect(await linesOf('2025-03')).toHaveLength(1);
  });
});

test('a failed refund and a won dispute are entered on the day when the money came again', async () => {
  const id = await sold({ at: '2025-03-01T12:00:00Z' });
  await refunded(id, { ore: 50_00, at: '2025-03-31T12:00:00Z', state: 'failed' });
  const other = await sold({ at: '2025-03-01T13:00:00Z', method: 'vipps' });
  await disputed(other, {
    status: 'won',
    at: '2025-03-15T12:00:00Z',
    closed: '2025-05-02T12:00:00Z',
  });
  const { total, methods } = await readMoney(database.pool, '2025-03');
  expect(total).toMatchObject({ gross: 298_00, refunded: 50_00, disputed: 149_00, net: 79_20 });
  expect(methods).toMatchObject([
    { method: 'card', refunded: 50_00, disputed: 0 },
    { method: 'vipps', refunded: 0, disputed: 149_00 },
  ]);
  expect((await readMoney(database.pool, '2025-04')).total.refunded).toBe(-50_00);
  expect((await readMoney(database.pool, '2025-05')).total.disputed).toBe(-149_00);
  expect((await readMoney(database.pool, '2025')).total).toMatchObject({ net: 238_40, vat: 59_60 });
});

test('the CSV has decimal commas, no formulas, and nothing that names a person', async () => {
  const id = await sold({ at: '2025-03-01T12:00:00Z' });
  await refunded(id, { ore: 49_50, at: '2025-03-02T12:00:00Z' });
  const lines = await linesOf('2025-03');
  expect(lines[0]!.slice(2, 11)).toEqual([
    'Salg',
    '',
    String(number),
    '149,00',
    '25',
    '29,80',
    '119,20',
    '',
    'Kort',
  ]);
  expect(lines[1]!.slice(2, 9)).toEqual([
    'Tilbakebetaling',
    'Administrator',
    String(number),
    '-49,50',
    '25',
    '-9,90',
    '-39,60',
  ]);
  expect(lines.flat().join()).not.toContain('@');
});

test('the CSV names the reason of a dispute and the method in Norwegian', async () => {
  const id = await sold({ at: '2025-03-01T12:00:00Z', method: 'link' });
  await disputed(id, { status: 'needs_response', at: '2025-03-02T12:00:00Z' });
  const [sale, dispute] = await linesOf('2025-03');
  expect(sale![10]).toBe('Link');
  expect(dispute!.slice(2, 4)).toEqual([
    'Klage til banken',
    'Har ikke godkjent betalingen (svindel)',
  ]);
});

describe('the comparison with Stripe', () => {
  const readAt = (at: string) =>
    database.pool.query('insert into balance_reading (read_at) values ($1)', [at]);
  const atStripe = (payment: string, ore: number) =>
    database.pool.query(
      `insert into balance_transaction (id, payment_id, source, category, amount_ore, fee_ore, created_at)
       values (gen_random_uuid(), $1, 'ch_1', 'charge', $2, 558, '2025-03-01T12:00:00Z')`,
      [payment, ore],
    );

  test('was never made before the balance was read, and the fees are not known', async () => {
    await sold({ at: '2025-03-01T12:00:00Z' });
    const { stripe, total } = await readMoney(database.pool, '2025-03');
    expect(stripe).toMatchObject({ readAt: null, compared: 0, differing: 0 });
    expect(total.fees).toBeNull();
  });

  test('finds payments with another sum, and waits for those after the reading', async () => {
    const [same, other] = [
      await sold({ at: '2025-03-01T12:00:00Z' }),
      await sold({ at: '2025-03-01T12:00:00Z' }),
    ];
    await sold({ at: '2025-03-05T12:00:00Z' });
    await atStripe(same, 149_00);
    await atStripe(other, 148_99);
    await readAt('2025-03-02T12:00:00Z');
    const { stripe, total } = await readMoney(database.pool, '2025-03');
    expect(stripe).toMatchObject({
      compared: 2,
      differing: 1,
      differences: [
        { payment_id: other, receipt_number: number - 1, books: 149_00, stripe: 148_99 },
      ],
    });
    expect(total.fees).toBe(2 * 558);
  });

  test('finds money at Stripe for which there is no receipt', async () => {
    const id = await sold({ at: '2025-03-01T12:00:00Z' });
    await database.pool.query('delete from receipt where payment_id = $1', [id]);
    await atStripe(id, 149_00);
    await readAt('2025-03-02T12:00:00Z');
    expect((await readMoney(database.pool, '2025-03')).stripe).toMatchObject({
      differing: 1,
      differences: [{ receipt_number: null, books: 0, stripe: 149_00 }],
    });
  });
});
