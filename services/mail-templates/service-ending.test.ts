import { beforeEach, describe, expect, test } from 'vitest';
import { findEndingServices } from '#accounts/credit-ledger.ts';
import { withTransaction } from '#database/pool.ts';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { addDays, createLearner, setPrice } from '@proveklar/tests/support/factories.ts';
import { mailServiceEnding } from './service-ending.ts';
import type { OutgoingMail } from '#mail/send-mail.ts';

const database = useTestDatabase();
const addresses = { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' };

beforeEach(async () => {
  await emptyTables(database.pool, 'account', 'outbox');
  await setPrice(database.pool, 149_00);
});

/** Creates a learner whose service of `days` ends in `hours`. */
async function endingIn(hours: number, days = 30) {
  const learner = await createLearner(database.pool, { days });
  const passed = days * 24 - hours;
  await database.pool.query(
    `update credit set credited_at = credited_at - make_interval(hours => $2)
     where account_id = $1`,
    [learner.id, passed],
  );
  await database.pool.query(
    `update account set service_expires_at = service_expires_at - make_interval(hours => $2)
     where id = $1`,
    [learner.id, passed],
  );
  return learner;
}

const find = (limit = 100) => withTransaction(database.pool, (tx) => findEndingServices(tx, limit));

async function endingEvents() {
  const { rows } = await database.pool.query<{
    id: string;
    payload: { account_id: string; expires_at: string };
  }>(`select id, payload from outbox where name = 'service.ending' order by id`);
  return rows;
}

/** Inserts paid days that begin in `hours`. */
async function waitingFor(accountId: string, hours: number): Promise<void> {
  await database.pool.query(
    `with paid as (
       insert into payment (purpose, account_id, email, amount_ore, service_days)
       values ('extension', $1, 'x@example.no', 14900, 30) returning id)
     insert into credit (account_id, payment_id, reason, days, begins_at)
     select $1, id, 'payment', 30, now() + make_interval(hours => $2) from paid`,
    [accountId, hours],
  );
}

/** Handles every event as the worker does. Returns the outcomes and the mails. */
async function mailAll() {
  const mails: OutgoingMail[] = [];
  const send = async (mail: OutgoingMail) => void mails.push(mail);
  const deps = { db: database.pool, mailer: { send }, addresses };
  const outcomes = [];
  for (const event of await endingEvents()) outcomes.push(await mailServiceEnding(deps, event));
  return { outcomes, mails };
}

describe('a service that ends soon', () => {
  test('is found once, from three days before its end', async () => {
    const soon = await endingIn(71);
    await endingIn(73);
    await endingIn(-1);
    expect(await find()).toBe(1);
    expect((await endingEvents()).map(({ payload }) => payload.account_id)).toEqual([soon.id]);
    expect(await find()).toBe(0);
  });

  test('is found by one of several concurrent searches, up to the limit of each', async () => {
    for (let n = 0; n < 10; n += 1) await endingIn(48);
    const counts = await Promise.all(Array.from({ length: 5 }, () => find(3)));
    for (const count of counts) expect(count).toBeLessThanOrEqual(3);
    while ((await find(3)) > 0);
    const accounts = (await endingEvents()).map(({ payload }) => payload.account_id);
    expect(accounts).toHaveLength(10);
    expect(new Set(accounts).size).toBe(10);
  });

  test('is not found while the account is disabled or the service is free', async () => {
    const { id } = await endingIn(48);
    await database.pool.query(`update account set state = 'disabled' where id = $1`, [id]);
    expect(await find()).toBe(0);
    await database.pool.query(`update account set state = 'active' where id = $1`, [id]);
    await setPrice(database.pool, 0);
    expect(await find()).toBe(0);
    await setPrice(database.pool, 149_00);
    expect(await find()).toBe(1);
  });

  test('is found again for its next end only', async () => {
    const learner = await endingIn(48);
    await find();
    await addDays(database.pool, learner, 30);
    expect(await find()).toBe(0);
    await database.pool.query(
      `update account set service_expires_at = service_expires_at - interval '30 days'
         + interval '1 hour'`,
    );
    expect(await find()).toBe(1);
  });
});

describe('the mail about a service that ends soon', () => {
  test('is sent once', async () => {
    const learner = await endingIn(48);
    await find();
    const { outcomes, mails } = await mailAll();
    expect(outcomes).toEqual(['sent']);
    expect(mails).toMatchObject([
      { to: learner.email, subject: expect.stringMatching(/^Tilgangen din slutter/) },
    ]);
    expect((await mailAll()).outcomes).toEqual(['sent_before']);
  });

  test('is not sent when the service was extended meanwhile', async () => {
    const learner = await endingIn(48);
    await find();
    await addDays(database.pool, learner, 30);
    expect(await mailAll()).toEqual({ outcomes: ['not_needed'], mails: [] });
  });

  test('is not sent after the end, for a free service, or to a disabled account', async () => {
    await endingIn(48);
    await find();
    await setPrice(database.pool, 0);
    expect((await mailAll()).outcomes).toEqual(['not_needed']);
    await setPrice(database.pool, 149_00);
    await database.pool.query(`update account set state = 'disabled'`);
    expect((await mailAll()).outcomes).toEqual(['no_recipient']);
    await database.pool.query(
      `update account set state = 'active', service_expires_at = now() - interval '1 hour'`,
    );
    expect((await mailAll()).outcomes).toEqual(['not_needed']);
  });

  test('is not sent when waiting days begin before the end, and is sent when they begin later', async () => {
    const goesOn = await endingIn(48);
    await waitingFor(goesOn.id, 24);
    const pauses = await endingIn(48);
    await waitingFor(pauses.id, 72);
    await find();
    const { outcomes, mails } = await mailAll();
    expect(outcomes).toHaveLength(2);
    expect(outcomes).toContain('not_needed');
    expect(mails.map(({ to }) => to)).toEqual([pauses.email]);
  });

  test('is not sent for a service that was shorter than five days', async () => {
    await endingIn(48, 4);
    const longEnough = await endingIn(48, 5);
    // Two short services in a row, without a gap.
    const twice = await endingIn(-24, 4);
    await addDays(database.pool, twice, 1);
    const inARow = await endingIn(24, 4);
    await addDays(database.pool, inARow, 1);
    await find();
    const { mails } = await mailAll();
    const sentTo = mails.map(({ to }) => to).toSorted();
    expect(sentTo).toEqual([longEnough.email, inARow.email].toSorted());
  });
});
