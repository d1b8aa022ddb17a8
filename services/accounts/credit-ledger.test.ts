import { describe, expect, test } from 'vitest';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { withTransaction } from '#database/pool.ts';
import { readAccount } from './account.ts';
import { addCredit } from './credit-ledger.ts';

const database = useTestDatabase();

const grant = (accountId: string, days: number) =>
  withTransaction(database.pool, (tx) => addCredit(tx, { accountId, days, paymentId: null }));

/** Moves the credits of an account into the past. */
const age = (accountId: string, days: number) =>
  database.pool.query(
    `update credit set credited_at = credited_at - make_interval(days => $2)
     where account_id = $1`,
    [accountId, days],
  );

describe('the credit ledger', () => {
  test('an account without credits has no service', async () => {
    const { id } = await createLearner(database.pool, { days: 0 });
    const account = await readAccount(database.pool, id);
    expect(account).toMatchObject({ service_expires_at: null, days_remaining: 0 });
  });

  test('a credit before the expiry extends the service', async () => {
    const { id } = await createLearner(database.pool, { days: 30 });
    await grant(id, 10);
    expect(await readAccount(database.pool, id)).toMatchObject({ days_remaining: 40 });
  });

  test('a credit after the expiry starts a new period', async () => {
    const { id } = await createLearner(database.pool, { days: 5 });
    await age(id, 20);
    await grant(id, 30);
    expect(await readAccount(database.pool, id)).toMatchObject({ days_remaining: 30 });
  });

  test('gaps between several credits do not count', async () => {
    const { id } = await createLearner(database.pool, { days: 10 });
    await age(id, 100);
    await grant(id, 10);
    await age(id, 5);
    await grant(id, 10);
    expect(await readAccount(database.pool, id)).toMatchObject({ days_remaining: 15 });
  });

  test('concurrent credits all count', async () => {
    const { id } = await createLearner(database.pool, { days: 0 });
    await Promise.all(Array.from({ length: 20 }, () => grant(id, 3)));
    expect(await readAccount(database.pool, id)).toMatchObject({ days_remaining: 60 });
  });
});
