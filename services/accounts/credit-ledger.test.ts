import { describe, expect, test } from 'vitest';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { withTransaction } from '#database/pool.ts';
import { readAccount } from './account.ts';
import { addCredit } from './credit-ledger.ts';

const database = useTestDatabase();

const grant = (accountId: string, days: number) =>
  withTransaction(database.pool, (tx) => addCredit(tx, { accountId, days, paymentId: null }));

/** Moves the ledger into the past, as if the credits had been given then. */
const age = (accountId: string, days: number) =>
  database.pool.query(
    `update credit set credited_at = credited_at - make_interval(days => $2)
     where account_id = $1`,
    [accountId, days],
  );

describe('the credit ledger', () => {
  test('an account without a credit has never had service', async () => {
    const { id } = await createLearner(database.pool, { days: 0 });
    const account = await readAccount(database.pool, id);
    expect(account).toMatchObject({ service_expires_at: null, days_remaining: 0 });
  });

  test('a credit that comes before the expiry extends it', async () => {
    const { id } = await createLearner(database.pool, { days: 30 });
    await grant(id, 10);
    expect(await readAccount(database.pool, id)).toMatchObject({ days_remaining: 40 });
  });

  test('a credit that comes after the expiry starts anew', async () => {
    const { id } = await createLearner(database.pool, { days: 5 });
    await age(id, 20);
    await grant(id, 30);
    expect(await readAccount(database.pool, id)).toMatchObject({ days_remaining: 30 });
  });

  test('several gaps are computed in order', async () => {
    const { id } = await createLearner(database.pool, { days: 10 });
    await age(id, 100);
    await grant(id, 10);
    await age(id, 5);
    await grant(id, 10);
    expect(await readAccount(database.pool, id)).toMatchObject({ days_remaining: 15 });
  });

  test('parallel credits all count', async () => {
    const { id } = await createLearner(database.pool, { days: 0 });
    await Promise.all(Array.from({ length: 20 }, () => grant(id, 3)));
    expect(await readAccount(database.pool, id)).toMatchObject({ days_remaining: 60 });
  });
});
