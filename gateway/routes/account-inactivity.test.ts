import { beforeEach, describe, expect, test } from 'vitest';
import { findDueDeletions, findInactive } from '@proveklar/services/accounts/inactivity.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { mailAccountDeleted } from '@proveklar/services/mail-templates/account-deleted.ts';
import { mailAccountInactive } from '@proveklar/services/mail-templates/account-inactive.ts';
import type { OutgoingMail } from '@proveklar/services/mail/send-mail.ts';
import { deleteInactive } from '@proveklar/services/privacy/delete-user.ts';
import { withOwnAccounts } from '@proveklar/tests/support/own-accounts.ts';

const { gateway, query, learner } = withOwnAccounts();
const DAY_MS = 24 * 60 * 60 * 1000;
/** Two years and a day after the last use, which is today. */
const TWO_YEARS_ON = new Date(Date.now() + 732 * DAY_MS);

beforeEach(() => query(`update account set last_seen_on = null`));

/** A learner whose 30 days are over, and who uses the account today. */
async function formerLearner() {
  const user = await learner();
  await user.call('POST', '/quiz/start', { topic: 'Historie' });
  await query(
    `update account set service_expires_at = now() - interval '1 day' where id = $1`,
    user.id,
  );
  await query(
    `update account set last_seen_on = (now() at time zone 'Europe/Oslo')::date where id = $1`,
    user.id,
  );
  return user;
}

const findAt = (at: Date | null) =>
  withTransaction(gateway.deps.db, (tx) => findInactive(tx, { limit: 100, at }));
const findDueAt = (at: Date | null) =>
  withTransaction(gateway.deps.db, (tx) => findDueDeletions(tx, { limit: 100, at }));

/** Handles all events of a name as the mail worker does. Returns the mails and the outcomes. */
async function mailAll(name: 'account.inactive' | 'account.deleted') {
  const mails: OutgoingMail[] = [];
  const deps = {
    db: gateway.deps.db,
    identity: gateway.deps.identity,
    mailer: { send: async (mail: OutgoingMail) => void mails.push(mail) },
    addresses: { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' },
  };
  const handle = name === 'account.inactive' ? mailAccountInactive : mailAccountDeleted;
  const outcomes = [];
  for (const { id, payload } of await query('select id, payload from outbox where name = $1', name))
    outcomes.push(await handle(deps, { id, payload }));
  return { mails, outcomes };
}

/** Makes the address count as the learner's own. */
async function pay(accountId: string) {
  await query(
    `with paid as (
       insert into payment (purpose, account_id, amount_ore, service_days, state, settled_at)
       values ('extension', $1, 14900, 1, 'settled', now()) returning id)
     insert into credit (account_id, payment_id, reason, days, days_taken_back)
     select $1, id, 'payment', 1, 1 from paid`,
    accountId,
  );
}

const stateOf = async (id: string) =>
  (
    await query(
      'select state, inactive_warned_at is not null as warned from account where id = $1',
      id,
    )
  )[0];

describe('an account that is not used', () => {
  test('is warned a month before two years have passed, once', async () => {
    const { id } = await formerLearner();
    expect(await findAt(new Date(Date.now() + 690 * DAY_MS))).toBe(0);
    expect(await findAt(new Date(Date.now() + 702 * DAY_MS))).toBe(1);
    expect(await findAt(TWO_YEARS_ON)).toBe(0);
    await query(`update account set inactive_asked_at = now() - interval '8 days'`);
    expect(await findAt(TWO_YEARS_ON)).toBe(1);
    await pay(id);
    const { mails, outcomes } = await mailAll('account.inactive');
    expect(outcomes).toEqual(['sent', 'not_needed']);
    expect(mails[0]?.subject).toMatch(/^Vi sletter kontoen din \d+[.] \w+ \d{4}$/);
    await query(`update account set inactive_asked_at = now() - interval '8 days'`);
    expect(await findAt(TWO_YEARS_ON)).toBe(0);
  });

  test('is not found while it has days, now or later', async () => {
    const [now, later] = [await formerLearner(), await formerLearner()];
    await query(
      `update account set service_expires_at = now() + interval '1 day' where id = $1`,
      now.id,
    );
    await query(`update credit set begins_at = now() where account_id = $1`, later.id);
    expect(await findAt(TWO_YEARS_ON)).toBe(0);
  });

  test('is deleted a month after the warning as its learner would delete it', async () => {
    const user = await formerLearner();
    await pay(user.id);
    await findAt(TWO_YEARS_ON);
    expect(await findDueAt(TWO_YEARS_ON)).toBe(0);
    await mailAll('account.inactive');
    expect(await findDueAt(new Date(Date.now() + 29 * DAY_MS))).toBe(0);
    expect(await findDueAt(TWO_YEARS_ON)).toBe(1);
    expect(await deleteInactive(gateway.deps, user.id, TWO_YEARS_ON)).toBe(true);
    expect(await deleteInactive(gateway.deps, user.id, TWO_YEARS_ON)).toBe(false);
    expect(await query('select from quiz where account_id = $1', user.id)).toEqual([]);
    expect(await gateway.identity.findUser(user.email)).toBeUndefined();
    const { mails } = await mailAll('account.deleted');
    expect(mails).toMatchObject([{ to: user.email, subject: 'Kontoen din er slettet' }]);
    expect(mails[0]?.text).toContain('fordi du ikke har brukt den på to år');
    expect(await query('select last_seen_on from account where id = $1', user.id)).toEqual([
      { last_seen_on: null },
    ]);
  });

  test('is kept when its learner signs in after the warning', async () => {
    const user = await formerLearner();
    await pay(user.id);
    await query(`update account set last_seen_on = current_date - 732 where id = $1`, user.id);
    expect(await findAt(null)).toBe(1);
    await mailAll('account.inactive');
    await query(`update account set inactive_warned_at = now() - interval '31 days'`);
    expect(await findDueAt(null)).toBe(1);
    await user.get();
    expect(await stateOf(user.id)).toEqual({ state: 'active', warned: false });
    expect(await findDueAt(null)).toBe(0);
    expect(await deleteInactive(gateway.deps, user.id)).toBe(false);
    expect((await user.get()).email).toBe(user.email);
  });

  test('is kept when only the sign-in service knows of a later use', async () => {
    const user = await formerLearner();
    await query(
      `update account set last_seen_on = current_date - 732, inactive_asked_at = now(),
         inactive_warned_at = now() - interval '31 days' where id = $1`,
      user.id,
    );
    expect(await deleteInactive(gateway.deps, user.id)).toBe(false);
    expect(await stateOf(user.id)).toEqual({ state: 'active', warned: false });
  });

  test('gets no warning at an address that may be a stranger’s, and its month begins', async () => {
    const { id } = await formerLearner();
    await findAt(TWO_YEARS_ON);
    expect((await mailAll('account.inactive')).outcomes).toEqual(['no_recipient']);
    expect(await stateOf(id)).toEqual({ state: 'active', warned: true });
  });

  test('is told to write to us when an administrator has closed it', async () => {
    const { id } = await formerLearner();
    await pay(id);
    await query(`update account set state = 'disabled', language = 'en' where id = $1`, id);
    await findAt(TWO_YEARS_ON);
    const { mails } = await mailAll('account.inactive');
    expect(mails[0]?.text).toContain('write to kontakt@example.no before');
    expect(mails[0]?.text).not.toContain('/login');
  });
});
