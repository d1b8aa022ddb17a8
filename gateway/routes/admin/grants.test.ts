import { beforeAll, expect, test } from 'vitest';
import { readCredits, takeBackDays } from '@proveklar/services/accounts/credit-ledger.ts';
import { forgetGrantNotes } from '@proveklar/services/accounts/grant-days.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { createLearner, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { type SignedIn, uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { choosePasswordByMail } from '@proveklar/tests/support/password-mails.ts';
import { payWithCard } from '@proveklar/tests/support/pay.ts';

const gateway = useTestGateway();
let boss: SignedIn;

beforeAll(async () => {
  await setPrice(gateway.deps.db, 149_00);
  boss = await gateway.identity.signInWithGoogle({ email: gateway.deps.config.ADMIN_EMAIL });
});

const grant = (body: object, key: string = crypto.randomUUID()) =>
  gateway.call('POST', '/admin/grants', {
    token: boss.idToken,
    headers: { 'idempotency-key': key },
    body,
  });
const audited = async (subject: string) =>
  (await gateway.call('GET', `/admin/audit?subject=${subject}`, { token: boss.idToken })).body
    .entries;
const expiryOf = async (id: string): Promise<Date | null> => {
  const { rows } = await gateway.deps.db.query(
    'select service_expires_at from account where id = $1',
    [id],
  );
  return rows[0].service_expires_at;
};
const countOf = async (grantId: string): Promise<number> => {
  const { rows } = await gateway.deps.db.query(
    'select count(*)::int as count from credit where grant_id = $1',
    [grantId],
  );
  return rows[0].count;
};

test('a learner is granted days once per idempotency key, also by ten concurrent clicks', async () => {
  const user = await gateway.identity.createPasswordUser();
  const key = crypto.randomUUID();
  const order = { audience: 'account', uid: user.uid, days: 7, note: 'Takk' };
  const answers = await Promise.all(Array.from({ length: 10 }, () => grant(order, key)));
  const first = answers[0]!.body;
  for (const answer of answers) expect(answer).toEqual({ status: 200, body: first });
  expect(first).toMatchObject({ accounts: 1, days: 7, created_by: boss.email });
  expect(await countOf(first.id)).toBe(1);
  const account = await gateway.call('GET', '/account', { token: user.idToken });
  expect(account.body.days_remaining).toBe(7);
  const person = await gateway.call('GET', `/admin/users/${user.uid}`, { token: boss.idToken });
  const credit = { given_for: 'grant', note: 'Takk', days: 7, days_taken_back: 0 };
  expect(person.body.access).toMatchObject([credit]);
  expect(await audited(user.email)).toMatchObject([
    { action: 'days.granted', details: { days: 7, accounts: 1, note: 'Takk' } },
  ]);
  const { rows } = await gateway.deps.db.query(
    `select count(*)::int as events from outbox where name = 'account.changed'`,
  );
  expect(rows).toEqual([{ events: 1 }]);
  expect(await grant({ ...order, days: 8 }, key)).toMatchObject({ status: 400 });
});

test('a grant to all active accounts reaches each once, and matches the ledger', async () => {
  const { db } = gateway.deps;
  const learners = await Promise.all([1, 30, 400].map((days) => createLearner(db, { days })));
  const [none, gone, disabled] = await Promise.all([
    createLearner(db, { days: 0 }),
    createLearner(db),
    createLearner(db),
  ]);
  const over = await createLearner(db);
  await db.query(`update account set state = 'deleted' where id = $1`, [gone.id]);
  await db.query(`update account set state = 'disabled' where id = $1`, [disabled.id]);
  await db.query(
    `update credit set credited_at = credited_at - interval '31 days' where account_id = $1`,
    [over.id],
  );
  await db.query(
    `update account set service_expires_at = service_expires_at - interval '31 days' where id = $1`,
    [over.id],
  );
  const outside = [none, gone, disabled, over];
  const before = await Promise.all(outside.map(({ id }) => expiryOf(id)));

  const audience = await gateway.call('GET', '/admin/grants/audience', { token: boss.idToken });
  const key = crypto.randomUUID();
  const order = { audience: 'active', days: 3, note: 'Nede i to dager' };
  const answers = await Promise.all([grant(order, key), grant(order, key), grant(order, key)]);
  const { body } = answers[0];
  for (const answer of answers) expect(answer).toEqual({ status: 200, body });
  expect(body.accounts).toBe(audience.body.accounts);
  expect(await countOf(body.id)).toBe(body.accounts);
  for (const { id } of learners) {
    const credits = await readCredits(db, id);
    expect(credits.map(({ days }) => days)).toHaveLength(2);
    const ends = credits.at(-1)!.ends_at.getTime();
    // PostgreSQL has microseconds, JavaScript milliseconds.
    expect(Math.abs((await expiryOf(id))!.getTime() - ends)).toBeLessThanOrEqual(1);
  }
  expect(await Promise.all(outside.map(({ id }) => expiryOf(id)))).toEqual(before);
  expect(await audited('active')).toMatchObject([
    { action: 'days.granted', details: { days: 3, accounts: body.accounts } },
  ]);
});

test('a grant to all and payments that settle meanwhile lose no days', async () => {
  const { db } = gateway.deps;
  const payers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const user = await gateway.identity.createPasswordUser();
      await grant({ audience: 'account', uid: user.uid, days: 10, note: 'x' });
      const { body } = await gateway.call('POST', '/payment/create-intent', {
        token: user.idToken,
      });
      await payWithCard(gateway, body.payment_intent_id);
      return { token: user.idToken, body: { payment_intent_id: body.payment_intent_id as string } };
    }),
  );
  const all = { audience: 'active', days: 1, note: 'x' };
  const answers = await Promise.all([
    ...payers.map((payer) => gateway.call('POST', '/payment/confirm', payer)),
    grant(all),
    grant(all),
    grant(all),
  ]);
  for (const { status } of answers) expect(status).toBe(200);
  for (const { token } of payers) {
    const { body } = await gateway.call('GET', '/account', { token });
    expect(body.days_remaining).toBe(10 + 30 + 3);
  }
  // Every expiry equals the one recomputed from its ledger.
  const { rows } = await db.query('select payment_id from credit where payment_id is not null');
  for (const { payment_id: paymentId } of rows) {
    const { rows: accounts } = await db.query(
      'select account_id from credit where payment_id = $1',
      [paymentId],
    );
    const was = await expiryOf(accounts[0].account_id);
    await withTransaction(db, (tx) => takeBackDays(tx, { paymentId, days: 30 }));
    await withTransaction(db, (tx) => takeBackDays(tx, { paymentId, days: 0 }));
    expect(await expiryOf(accounts[0].account_id)).toEqual(was);
  }
});

test('the note and the administrator of a grant are forgotten after two years, and its days stay', async () => {
  const { db } = gateway.deps;
  const { uid } = await gateway.identity.createPasswordUser();
  const order = { audience: 'account', uid, days: 7, note: 'Var syk' };
  const [old, newer] = [(await grant(order)).body, (await grant(order)).body];
  const move = (id: string, days: number) =>
    db.query(
      `update service_grant set created_at = now() - interval '2 years' + make_interval(days => $2) where id = $1`,
      [id, days],
    );
  await move(old.id, -1);
  await move(newer.id, 1);
  await withTransaction(db, forgetGrantNotes);
  const { rows } = await db.query(
    'select note, created_by from service_grant where id = any ($1) order by created_at',
    [[old.id, newer.id]],
  );
  expect(rows).toEqual([
    { note: null, created_by: '–' },
    { note: 'Var syk', created_by: boss.email },
  ]);
  expect([await countOf(old.id), await countOf(newer.id)]).toEqual([1, 1]);
});

test('an ambiguous grant is refused', async () => {
  const { uid } = await gateway.identity.createPasswordUser();
  const fine = { audience: 'account', uid, days: 1, note: 'x' };
  for (const [field, wrong] of [
    ['days', { ...fine, days: 0 }],
    ['days', { ...fine, days: 3651 }],
    ['note', { ...fine, note: ' ' }],
    ['uid', { audience: 'account', days: 1, note: 'x' }],
    ['uid', { ...fine, audience: 'active' }],
    ['audience', { ...fine, audience: 'everybody' }],
  ] as const) {
    expect(await grant(wrong), JSON.stringify(wrong)).toMatchObject({
      status: 400,
      body: { details: { field } },
    });
  }
  const stranger = { ...fine, uid: crypto.randomUUID() };
  const { status, body } = await grant(stranger);
  expect([status, body.code]).toEqual([404, 'user_not_found']);
});

test('a user who signs in with Google is mailed a link if an administrator sends it', async () => {
  const email = uniqueEmail();
  const { uid } = await gateway.identity.signInWithGoogle({ email });
  const path = `/admin/users/${uid}/password-link`;
  await gateway.call('POST', path, { token: boss.idToken });
  await choosePasswordByMail(gateway, email, 'et annet godt passord');
  await gateway.identity.signInWithPassword(email, 'et annet godt passord');
});

test('a user is mailed a link to choose a password, a deleted user is not', async () => {
  const { uid, email } = await gateway.identity.createPasswordUser();
  const send = () =>
    gateway.call('POST', `/admin/users/${uid}/password-link`, { token: boss.idToken });
  expect(await send()).toEqual({ status: 200, body: { ok: true } });
  expect(await audited(email)).toMatchObject([{ action: 'user.password_link_sent' }]);
  await choosePasswordByMail(gateway, email, 'et annet godt passord');
  await gateway.identity.signInWithPassword(email, 'et annet godt passord');
  await gateway.deps.db.query(`update account set state = 'deleted' where uid = $1`, [uid]);
  expect(await send()).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
});
