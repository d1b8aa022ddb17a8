import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { resumeDeletion } from '@proveklar/services/privacy/delete-user.ts';
import {
  requestReclaimedLink,
  processStripeEvent,
} from '@proveklar/services/payments/incoming/stripe-events.ts';
import { allConsumed } from '#support/consumed.ts';
import { addDays, createQuestions, setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { uniqueEmail, withClaims } from '#support/identity.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { choosePasswordByMail, sendPasswordMails, tokenIn } from '#support/password-mails.ts';
import { payWithCard } from '#support/pay.ts';
import { queueBackends } from '#support/shared.ts';
import { sendPaymentSucceeded } from '#support/webhook.ts';
import { useTestWorkers } from '#support/workers.ts';

// The payer for an address owns its account, even if a stranger signed up with the address before.
const SQUATTERS = 'a password of the squatter';
const PAYERS = 'a password of the payer';
const OWNERS = 'a password of the owner';
const gateway = useTestGateway();
const workers = useTestWorkers();
const mailbox = useTestMailbox();

beforeAll(() => createQuestions(gateway.deps.db, { topic: 'Historie', count: 20 }));
beforeEach(() => setPrice(gateway.deps.db, 149_00));

const query = async (text: string, ...values: unknown[]) =>
  (await gateway.deps.db.query(text, values)).rows;

/** The token of a sign-in two seconds later: `auth_time` is in whole seconds. */
function later(token: string): string {
  const payload = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  return withClaims(token, { auth_time: payload.auth_time + 2 });
}

interface Squat {
  email: string;
  uid: string;
  token: string;
}

/** Stores a name, a quiz and a report in the squatter's account, while access is free. */
async function leaveTraces({
  email,
  uid,
  idToken: token,
}: Record<'email' | 'uid' | 'idToken', string>) {
  const as = (method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown) =>
    gateway.call(method, path, { token, ...(body !== undefined && { body }) });
  await as('PUT', '/account/profile', { display_name: 'Squatter', language: 'en' });
  const { body: quiz } = await as('POST', '/quiz/start', { topic: 'Historie' });
  const path = `/questions/${quiz.questions[0].uuid}/feedback`;
  expect((await as('POST', path, { type: 'thumbs_down' })).status).toBe(200);
  return { email, uid, token };
}

const SQUATS: Record<string, () => Promise<Squat>> = {
  'the public sign-up': async () => {
    await setPrice(gateway.deps.db, 0);
    const squat = await leaveTraces(
      await gateway.identity.createPasswordUser(uniqueEmail(), SQUATTERS),
    );
    await setPrice(gateway.deps.db, 149_00);
    return squat;
  },
  'our own free registration': async () => {
    await setPrice(gateway.deps.db, 0);
    const email = uniqueEmail();
    await gateway.call('POST', '/payment/confirm-registration', {
      body: { email, username: 'Squatter', password: SQUATTERS },
    });
    const squat = await leaveTraces(await gateway.identity.signInWithPassword(email, SQUATTERS));
    await setPrice(gateway.deps.db, 149_00);
    return squat;
  },
};

interface Paid {
  email: string;
  intentId: string;
}

async function pay(email: string): Promise<Paid> {
  const { body } = await gateway.call('POST', '/payment/create-registration-intent', {
    body: { email, username: 'Eier' },
  });
  await payWithCard(gateway, body.payment_intent_id);
  return { email, intentId: body.payment_intent_id };
}

const confirm = ({ email, intentId }: Paid) =>
  gateway.call('POST', '/payment/confirm-registration', {
    body: { email, username: 'Eier', password: PAYERS, payment_intent_id: intentId },
  });

async function hearOfIt({ intentId }: Paid): Promise<void> {
  await sendPaymentSucceeded(gateway, intentId);
  const [event] = await query(
    'select id from stripe_event where payment_intent_id = $1 order by received_at desc limit 1',
    intentId,
  );
  expect(await processStripeEvent(gateway.deps, event.id, 0)).toBe('done');
}

/** Processes the events of the payments queue twice: delivery is at least once. */
async function processPaymentEvents(): Promise<void> {
  const events = await query(`delete from outbox returning name, payload`);
  for (const { name, payload } of events) {
    if (name === 'registration.reclaimed')
      await requestReclaimedLink(gateway.deps, payload.payment_id);
    if (name === 'account.deletion_interrupted') {
      await resumeDeletion(gateway.deps, payload.account_id);
      await resumeDeletion(gateway.deps, payload.account_id);
    }
  }
}

/** Expects that the squatter has nothing left, and the mailbox's owner has what was paid for. */
async function expectReclaimed(
  { email, uid, token }: Squat,
  mail?: { text: string },
): Promise<void> {
  for (const path of ['/account', '/account/payments', '/quiz/history']) {
    expect((await gateway.call('GET', path, { token })).status).toBe(401);
  }
  for (const password of [SQUATTERS, PAYERS]) {
    const attempt = gateway.identity.signInWithPassword(email, password);
    await expect(attempt).rejects.toThrow('INVALID_LOGIN_CREDENTIALS');
  }
  const [left] = await query(
    `select state, email, display_name,
       (select count(*)::int from quiz where account_id = account.id) as quizzes,
       (select count(*)::int from feedback where account_id = account.id) as reports,
       (select count(*)::int from credit where account_id = account.id) as credits
     from account where uid = $1`,
    uid,
  );
  expect(left).toMatchObject({ state: 'deleted', display_name: null });
  expect(left).toMatchObject({ quizzes: 0, reports: 0, credits: 0 });
  expect(left.email).not.toBe(email);

  const mails = mail ? [mail] : await sendPasswordMails(gateway, email);
  expect(mails).toHaveLength(1);
  const body = { token: tokenIn(mails[0]!.text), password: OWNERS };
  expect((await gateway.call('POST', '/password/choose', { body })).status).toBe(200);
  const owner = await gateway.identity.signInWithPassword(email, OWNERS);
  const as = (path: string) => gateway.call('GET', path, { token: owner.idToken });
  expect((await as('/account')).body).toMatchObject({
    account: { is_active: true },
    days_remaining: 30,
    display_name: 'Eier',
    language: 'no',
    email,
  });
  expect((await as('/quiz/history')).body).toMatchObject({ history: [] });
  expect((await as('/account/payments')).body.payments).toHaveLength(1);
}

describe.each(Object.keys(SQUATS))('an address squatted by %s', (how) => {
  test('goes to the payer by the confirm call, and the later webhook changes nothing', async () => {
    const squat = await SQUATS[how]!();
    const paid = await pay(squat.email);
    const answer = await confirm(paid);
    expect(answer.body).toMatchObject({
      account_existed: true,
      password_mailed: true,
      days_remaining: 30,
    });
    await hearOfIt(paid);
    expect((await confirm(paid)).body).toEqual(answer.body);
    await processPaymentEvents();
    await expectReclaimed(squat);
  });

  test('goes to the payer by the webhook, and the later confirm call reports it', async () => {
    const squat = await SQUATS[how]!();
    const paid = await pay(squat.email);
    await hearOfIt(paid);
    expect((await confirm(paid)).body).toMatchObject({
      account_existed: true,
      password_mailed: true,
    });
    await processPaymentEvents();
    await expectReclaimed(squat);
  });

  test('goes to the payer when many calls and events settle at once', async () => {
    const squat = await SQUATS[how]!();
    const paid = await pay(squat.email);
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => confirm(paid)),
      hearOfIt(paid),
    ]);
    for (const answer of answers.slice(0, 10)) {
      expect(answer).toMatchObject({ status: 200, body: { password_mailed: true } });
    }
    await processPaymentEvents();
    await expectReclaimed(squat);
  });
});

test('a squatter who has never called our API is refused', async () => {
  const { email, uid, idToken } = await gateway.identity.createPasswordUser(
    uniqueEmail(),
    SQUATTERS,
  );
  await confirm(await pay(email));
  await processPaymentEvents();
  await expectReclaimed({ email, uid, token: idToken });
});

test('a squatter who signs up again before the payer’s user is created loses that user too', async () => {
  const first = await SQUATS['the public sign-up']!();
  const paid = await pay(first.email);
  const { identity } = gateway.deps;
  let second: Squat | undefined;
  gateway.deps.identity = {
    ...identity,
    async deleteUser(uid) {
      await identity.deleteUser(uid);
      if (second) return;
      const { uid: again, idToken } = await gateway.identity.createPasswordUser(
        first.email,
        SQUATTERS,
      );
      second = { email: first.email, uid: again, token: idToken };
    },
  };
  try {
    expect((await confirm(paid)).body).toMatchObject({ password_mailed: true });
  } finally {
    gateway.deps.identity = identity;
  }
  await processPaymentEvents();
  expect((await gateway.call('GET', '/account', { token: first.token })).status).toBe(401);
  await expectReclaimed(second!);
});

test('an unverified user with granted days keeps the account and its password', async () => {
  const { email, uid, idToken } = await gateway.identity.createPasswordUser(uniqueEmail(), OWNERS);
  await addDays(gateway.deps.db, { email, uid }, 10);
  expect((await confirm(await pay(email))).body).toMatchObject({
    account_existed: true,
    password_mailed: false,
    days_remaining: 40,
  });
  await processPaymentEvents();
  const account = await gateway.call('GET', '/account', { token: idToken });
  expect(account.body).toMatchObject({ days_remaining: 40 });
  await gateway.identity.signInWithPassword(email, OWNERS);
  expect(await sendPasswordMails(gateway, email)).toEqual([]);
});

test('a fully refunded purchase no longer reserves its address', async () => {
  const first = await pay(uniqueEmail());
  await confirm(first);
  const squatter = await gateway.identity.signInWithPassword(first.email, PAYERS);
  await gateway.deps.stripe.refunds.create({ payment_intent: first.intentId });
  await hearOfIt(first);
  await query('delete from outbox');
  expect((await confirm(await pay(first.email))).body).toMatchObject({ password_mailed: true });
  await processPaymentEvents();
  const old = await gateway.call('GET', '/account', { token: squatter.idToken });
  expect(old.status).toBe(401);
});

test('registrations of one address paid at the same time share one account', async () => {
  const email = uniqueEmail();
  const paid = await Promise.all([pay(email), pay(email), pay(email)]);
  const answers = await Promise.all([...paid, ...paid].map(confirm));
  for (const { body } of answers) expect(body).toMatchObject({ password_mailed: false });
  const { idToken: token } = await gateway.identity.signInWithPassword(email, PAYERS);
  expect((await gateway.call('GET', '/account', { token })).body.days_remaining).toBe(90);
});

test('a learner from the free period who pays has days and access after following the link', async () => {
  await setPrice(gateway.deps.db, 0);
  const person = { email: uniqueEmail(), username: 'Eier', password: OWNERS };
  await gateway.call('POST', '/payment/confirm-registration', { body: person });
  await setPrice(gateway.deps.db, 149_00);
  expect((await confirm(await pay(person.email))).body).toMatchObject({ password_mailed: true });
  await processPaymentEvents();
  await choosePasswordByMail(gateway, person.email, OWNERS);
  const { idToken: token } = await gateway.identity.signInWithPassword(person.email, OWNERS);
  expect((await gateway.call('GET', '/account', { token })).body).toMatchObject({
    account: { is_active: true },
    days_remaining: 30,
  });
});

describe('without a payment', () => {
  test('a free registration takes nothing from an existing user', async () => {
    const { email, token } = await SQUATS['our own free registration']!();
    await setPrice(gateway.deps.db, 0);
    const body = { email, username: 'Eier', password: PAYERS };
    expect(
      (await gateway.call('POST', '/payment/confirm-registration', { body })).body,
    ).toMatchObject({ account_existed: false, password_mailed: false });
    expect((await gateway.call('GET', '/account', { token })).body).toMatchObject({
      display_name: 'Squatter',
    });
    expect(await sendPasswordMails(gateway, email)).toHaveLength(1);
  });

  test('the first sign-in by Google gets an empty account, and the squatter loses theirs', async () => {
    const squat = await SQUATS['our own free registration']!();
    const owner = await gateway.identity.signInWithGoogle({ email: squat.email, name: 'Eier' });
    expect(owner.uid).toBe(squat.uid);
    const token = later(owner.idToken);
    const calls = await Promise.all(
      Array.from({ length: 5 }, () => gateway.call('GET', '/account', { token })),
    );
    for (const { body } of calls) expect(body).toMatchObject({ display_name: 'Eier' });
    expect((await gateway.call('GET', '/quiz/history', { token })).body).toMatchObject({
      history: [],
    });
    const refused = await gateway.call('GET', '/account', { token: squat.token });
    expect(refused).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
    const [{ accounts }] = await query(
      'select count(*)::int as accounts from account where uid = $1 or email = $2',
      squat.uid,
      squat.email,
    );
    expect(accounts).toBe(1);
    await processPaymentEvents();
    const quizzes = `select quiz.id from quiz join account on account.id = account_id
                     where account.uid like 'displaced-%'`;
    expect(await query(quizzes)).toEqual([]);
    expect((await gateway.call('GET', '/account', { token })).status).toBe(200);
  });

  test('the first sign-in by Google keeps a paid account, and ends older sessions', async () => {
    const paid = await pay(uniqueEmail());
    await confirm(paid);
    const before = await gateway.identity.signInWithPassword(paid.email, PAYERS);
    await gateway.call('GET', '/account', { token: before.idToken });
    const { idToken } = await gateway.identity.signInWithGoogle({ email: paid.email });
    const token = later(idToken);
    expect((await gateway.call('GET', '/account', { token })).body).toMatchObject({
      days_remaining: 30,
      display_name: 'Eier',
    });
    const old = await gateway.call('GET', '/account', { token: before.idToken });
    expect(old).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
  });
});

describe.each(await queueBackends())('with queues on $name', ({ redisUrl }) => {
  test('the owner gets one mail with a link, and the squatter’s data is erased', async () => {
    const squat = await SQUATS['our own free registration']!();
    const environment = { SMTP_URL: mailbox.smtpUrl };
    const { start } = await workers.on(gateway, redisUrl, environment);
    start();
    const paid = await pay(squat.email);
    await confirm(paid);
    await sendPaymentSucceeded(gateway, paid.intentId);
    await allConsumed(gateway.deps.db);
    const mails = await mailbox.mailsTo(squat.email);
    const links = mails.filter(({ text }) => tokenIn(text));
    expect([mails.length, links.length]).toEqual([2, 1]);
    await expectReclaimed(squat, links[0]);
    const receipt = mails.find(({ text }) => !tokenIn(text));
    expect(receipt?.text).toContain('en egen e-post med en lenke');
  });

  test('the owner of a verified account is told that the payment went to that account', async () => {
    const environment = { SMTP_URL: mailbox.smtpUrl };
    const { start } = await workers.on(gateway, redisUrl, environment);
    start();
    const { email, uid } = await gateway.identity.createPasswordUser(uniqueEmail(), OWNERS);
    await gateway.identity.verifyEmail(uid);
    await confirm(await pay(email));
    await allConsumed(gateway.deps.db);
    const [receipt] = await mailbox.mailsTo(email);
    expect(receipt?.text).toContain('Passordet ditt er det samme som før');
    await gateway.identity.signInWithPassword(email, OWNERS);
  });
});
