import { beforeAll, describe, expect, test } from 'vitest';
import { findPaymentByIntent } from '@proveklar/services/payments/payment.ts';
import { addDays, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { sendPasswordMails } from '@proveklar/tests/support/password-mails.ts';
import { countUsers, payWithCard, stripeControl } from '@proveklar/tests/support/pay.ts';

const gateway = useTestGateway();
const PASSWORD = 'et godt passord';

beforeAll(() => setPrice(gateway.deps.db, 149_00));

const newcomer = () => ({ email: uniqueEmail(), username: 'Ny' });

const begin = (body: object, headers: Record<string, string> = {}) =>
  gateway.call('POST', '/payment/create-registration-intent', { body, headers });

const confirm = (body: object) => gateway.call('POST', '/payment/confirm-registration', { body });

async function paidRegistration() {
  const person = newcomer();
  const { body: intent } = await begin(person);
  await payWithCard(gateway, intent.payment_intent_id);
  return { ...person, password: PASSWORD, payment_intent_id: intent.payment_intent_id as string };
}

const listPaymentsOf = ({ email }: { email: string }) =>
  gateway.deps.db.query('select * from payment where email = $1', [email]);

describe('a registration', () => {
  test('registering costs the price of the settings', async () => {
    const { status, body } = await begin(newcomer());
    expect(status).toBe(200);
    expect(body).toMatchObject({ amount: 149_00, service_days: 30 });
    expect(body.client_secret).toMatch(new RegExp(`^${body.payment_intent_id}_secret_`));
  });

  test('registering creates an account that can sign in and has its days', async () => {
    const registration = await paidRegistration();
    const { status, body } = await confirm(registration);
    expect(status).toBe(200);
    expect(body).toMatchObject({ days_remaining: 30, account_existed: false });
    const { idToken } = await gateway.identity.signInWithPassword(registration.email, PASSWORD);
    const account = await gateway.call('GET', '/account', { token: idToken });
    expect(account.body).toMatchObject({
      account: { is_active: true },
      email: registration.email,
      display_name: 'Ny',
    });
  });

  test('a hundred concurrent confirms create one user with one credit', async () => {
    const registration = await paidRegistration();
    const answers = await Promise.all(Array.from({ length: 100 }, () => confirm(registration)));
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect(answers.every(({ body }) => body.days_remaining === 30)).toBe(true);
    expect(await countUsers(gateway, registration.email)).toBe(1);
  });

  test('no account is created before the payment has succeeded', async () => {
    const person = newcomer();
    const { body: intent } = await begin(person);
    const { payment_intent_id } = intent;
    const early = await confirm({ ...person, password: PASSWORD, payment_intent_id });
    expect(early).toMatchObject({ status: 409, body: { code: 'payment_not_completed' } });
    expect(await gateway.identity.findUser(person.email)).toBeUndefined();
  });

  test('a declined card creates no account, and another card then pays', async () => {
    const person = newcomer();
    const { body: intent } = await begin(person);
    const { payment_intent_id } = intent;
    const declined = payWithCard(gateway, payment_intent_id, 'pm_card_chargeDeclined');
    await expect(declined).rejects.toMatchObject({ code: 'card_declined' });
    const registration = { ...person, password: PASSWORD, payment_intent_id };
    expect(await confirm(registration)).toMatchObject({ status: 409 });
    await payWithCard(gateway, payment_intent_id);
    expect(await confirm(registration)).toMatchObject({ status: 200 });
  });

  test('registering responds the same for an address with an account, and extends it', async () => {
    const { email, uid } = await gateway.identity.createPasswordUser(
      uniqueEmail(),
      'the first one',
    );
    await gateway.identity.verifyEmail(uid);
    const [taken, free] = await Promise.all([begin({ email, username: 'x' }), begin(newcomer())]);
    expect(Object.keys(taken.body)).toEqual(Object.keys(free.body));
    expect([taken.status, taken.body.amount]).toEqual([free.status, free.body.amount]);
    const { payment_intent_id } = taken.body;
    await payWithCard(gateway, payment_intent_id);
    const answer = await confirm({ email, username: 'x', password: PASSWORD, payment_intent_id });
    expect(answer.body).toMatchObject({
      account_existed: true,
      password_mailed: false,
      days_remaining: 30,
    });
    await expect(gateway.identity.signInWithPassword(email, PASSWORD)).rejects.toThrow(
      'INVALID_LOGIN_CREDENTIALS',
    );
    await gateway.identity.signInWithPassword(email, 'the first one');
  });

  test('a registration is confirmed only with the address that it was started with', async () => {
    const registration = await paidRegistration();
    const stranger = await confirm({ ...registration, email: uniqueEmail() });
    expect(stranger).toMatchObject({
      status: 409,
      body: { code: 'payment_mismatch', details: { reason: 'registration' } },
    });
    expect(stranger.body.error).toContain('belongs to another registration');
    const unknown = await confirm({ ...registration, payment_intent_id: 'pi_unknown' });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'payment_not_found' } });
  });

  test.each([
    ['amount', 'amount_ore = amount_ore + 1'],
    ['currency', `currency = 'sek'`],
  ])(
    'a registration paid with another %s is refused as payment_mismatch, and creates nothing',
    async (_what, wanted) => {
      const registration = await paidRegistration();
      await gateway.deps.db.query(`update payment set ${wanted} where payment_intent_id = $1`, [
        registration.payment_intent_id,
      ]);
      const { status, body } = await confirm(registration);
      expect([status, body.code, body.details]).toEqual([
        409,
        'payment_mismatch',
        { reason: 'amount' },
      ]);
      expect(body.error).toMatch(/^Another amount was paid/);
      expect(await countUsers(gateway, registration.email)).toBe(0);
    },
  );

  test('consent can be added by repeating the call with the same idempotency key', async () => {
    const person = newcomer();
    const key = { 'idempotency-key': crypto.randomUUID() };
    const { body: first } = await begin(person, key);
    const { body: again } = await begin({ ...person, consent_version: 'no-2026-11' }, key);
    expect(again).toEqual(first);
    const { rows } = await gateway.deps.db.query(
      'select consent_version, consented_at is not null as at from payment where email = $1',
      [person.email],
    );
    expect(rows).toEqual([{ consent_version: 'no-2026-11', at: true }]);
  });

  test('consent given before the payment stays unchanged', async () => {
    const person = newcomer();
    const key = { 'idempotency-key': crypto.randomUUID() };
    const { body: intent } = await begin({ ...person, consent_version: 'no-2026-11' }, key);
    const { payment_intent_id } = intent;
    const consentedAt = async () =>
      (await findPaymentByIntent(gateway.deps.db, payment_intent_id))!.consented_at;
    const agreed = await consentedAt();
    await payWithCard(gateway, payment_intent_id);
    await confirm({ ...person, payment_intent_id, password: PASSWORD });
    expect(await begin({ ...person, consent_version: 'no-2026-11' }, key)).toMatchObject({
      status: 200,
      body: intent,
    });
    expect(await consentedAt()).toEqual(agreed);
  });

  test('after a price change the same idempotency key is refused, and a new one starts another payment', async () => {
    const person = newcomer();
    const key = { 'idempotency-key': crypto.randomUUID() };
    const { body: old } = await begin(person, key);
    await setPrice(gateway.deps.db, 99_00, 10);
    try {
      expect(await begin(person, key)).toMatchObject({
        status: 409,
        body: { code: 'payment_cancelled', details: { reason: 'price_changed' } },
      });
      const intent = await gateway.deps.stripe.paymentIntents.retrieve(old.payment_intent_id);
      expect(intent.status).toBe('canceled');
      const other = { 'idempotency-key': crypto.randomUUID() };
      expect((await begin(person, other)).body).toMatchObject({ amount: 99_00, service_days: 10 });
    } finally {
      await setPrice(gateway.deps.db, 149_00);
    }
  });

  test('the same idempotency key returns the same intent; another key or address does not', async () => {
    const person = newcomer();
    const key = { 'idempotency-key': crypto.randomUUID() };
    const clicks = await Promise.all(Array.from({ length: 10 }, () => begin(person, key)));
    expect(new Set(clicks.map(({ body }) => body.payment_intent_id)).size).toBe(1);
    const other = await begin(person, { 'idempotency-key': crypto.randomUUID() });
    const stolen = await begin(newcomer(), key);
    const ids = [clicks[0]!, other, stolen].map(({ body }) => body.payment_intent_id);
    expect(new Set(ids).size).toBe(3);
  });

  test('registering while the service is free needs no payment', async () => {
    await setPrice(gateway.deps.db, 0);
    try {
      const person = newcomer();
      const begun = await begin(person);
      expect(begun.body).toMatchObject({ client_secret: null, amount: 0 });
      const confirmed = await confirm({ ...person, password: PASSWORD });
      expect(confirmed.body).toMatchObject({ account: { is_active: true }, days_remaining: 0 });
    } finally {
      await setPrice(gateway.deps.db, 149_00);
    }
    const unpaid = await confirm({ ...newcomer(), password: PASSWORD });
    expect(unpaid).toMatchObject({
      status: 400,
      body: { details: { field: 'payment_intent_id' } },
    });
  });

  test('registering for free does not reveal who is registered', async () => {
    const owner = await gateway.identity.createPasswordUser();
    await addDays(gateway.deps.db, owner, 77);
    await setPrice(gateway.deps.db, 0);
    try {
      const [taken, free] = await Promise.all([
        confirm({ email: owner.email, username: 'x', password: PASSWORD }),
        confirm({ ...newcomer(), password: PASSWORD }),
      ]);
      const withoutTime = ({ status, body }: typeof taken) => ({
        status,
        body: { ...body, account: { ...body.account, registered_at: '' } },
      });
      expect(withoutTime(taken)).toEqual(withoutTime(free));
    } finally {
      await setPrice(gateway.deps.db, 149_00);
    }
    expect(await sendPasswordMails(gateway, owner.email)).toMatchObject([
      { subject: 'Velg nytt passord', text: expect.stringContaining('Du har en konto fra før') },
    ]);
    await gateway.identity.signInWithPassword(owner.email, owner.password);
  });

  test.each([
    [{ username: 'x' }, 'email'],
    [{ email: 'nobody', username: 'x' }, 'email'],
    [{ email: 'no@dots', username: 'x' }, 'email'],
    [{ email: '"a@b"@example.no', username: 'x' }, 'email'],
    [{ email: 'a@[127.0.0.1]', username: 'x' }, 'email'],
    [{ email: 'a@example.no', username: '  ' }, 'username'],
    [{ email: 'a@example.no', username: 'x', amount: 1 }, 'amount'],
  ])('a registration is not started with %j', async (body, field) => {
    const answer = await begin(body);
    expect(answer).toMatchObject({ status: 400, body: { details: { field, part: 'body' } } });
  });

  test('a password that would be refused after the payment is refused before it', async () => {
    const person = newcomer();
    const answer = await begin({ ...person, password: 'passord123' });
    const refused = { code: 'password_refused', details: { reason: 'common' } };
    expect(answer).toMatchObject({ status: 400, body: refused });
    expect((await listPaymentsOf(person)).rows).toEqual([]);
    expect(await begin({ ...person, password: PASSWORD })).toMatchObject({ status: 200 });
    expect(JSON.stringify((await listPaymentsOf(person)).rows)).not.toContain(PASSWORD);
  });

  test('a too short password is refused before anything is created', async () => {
    const registration = await paidRegistration();
    const answer = await confirm({ ...registration, password: '1234567' });
    const refused = { code: 'password_refused', details: { reason: 'short', shortest: 8 } };
    expect(answer).toMatchObject({ status: 400, body: refused });
    expect(await confirm(registration)).toMatchObject({ status: 200 });
  });
});

describe('an extension', () => {
  const signedIn = () => gateway.identity.createPasswordUser();
  const more = (token: string) => gateway.call('POST', '/payment/create-intent', { token });
  const settle = (token: string, payment_intent_id: string) =>
    gateway.call('POST', '/payment/confirm', { token, body: { payment_intent_id } });

  test('paying for more adds the days once, however often it is confirmed', async () => {
    const { idToken } = await signedIn();
    const { body: intent } = await more(idToken);
    await payWithCard(gateway, intent.payment_intent_id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => settle(idToken, intent.payment_intent_id)),
    );
    expect(answers.map(({ body }) => body.days_remaining)).toEqual(Array(10).fill(30));
    const { body: second } = await more(idToken);
    expect(second.payment_intent_id).not.toBe(intent.payment_intent_id);
    await payWithCard(gateway, second.payment_intent_id);
    const { body } = await settle(idToken, second.payment_intent_id);
    expect(body.days_remaining).toBe(60);
  });

  test('a new intent is created when Stripe no longer knows the open one', async () => {
    const { idToken } = await signedIn();
    const { body: gone } = await more(idToken);
    await gateway.deps.db.query(
      `update payment set payment_intent_id = 'pi_of_another_account' where payment_intent_id = $1`,
      [gone.payment_intent_id],
    );
    const { status, body: fresh } = await more(idToken);
    expect(status).toBe(200);
    expect(fresh.payment_intent_id).not.toBe(gone.payment_intent_id);
  });

  test('a failure that Stripe caches for an idempotency key does not block later payments', async () => {
    const { idToken } = await signedIn();
    const stripe = stripeControl(gateway);
    const { id } = await stripe.addFault({
      kind: 'error',
      call: 'POST /v1/payment_intents',
      status: 500,
      when: 'after',
      stored: true,
      times: 1,
    });
    expect(await more(idToken)).toMatchObject({
      status: 502,
      body: { code: 'payment_provider_failed' },
    });
    expect(await stripe.findFault(id)).toMatchObject({ hits: 1 });
    const { status, body } = await more(idToken);
    expect(status).toBe(200);
    await payWithCard(gateway, body.payment_intent_id);
    expect((await settle(idToken, body.payment_intent_id)).body.days_remaining).toBe(30);
  });

  test('a payment is not settled while the bank authenticates the customer, and is afterwards', async () => {
    const { idToken } = await signedIn();
    const { body: intent } = await more(idToken);
    const { payment_intent_id: id } = intent;
    await payWithCard(gateway, id, 'pm_card_authenticationRequired');
    expect(await settle(idToken, id)).toEqual({
      status: 202,
      body: { status: 'requires_action' },
    });
    await stripeControl(gateway).authenticate(id, 'complete');
    expect((await settle(idToken, id)).body.days_remaining).toBe(30);
  });

  test('the one open intent is returned again', async () => {
    const { idToken } = await signedIn();
    const answers = await Promise.all(Array.from({ length: 10 }, () => more(idToken)));
    expect(new Set(answers.map(({ body }) => body.payment_intent_id)).size).toBe(1);
  });

  test('a price change cancels the old intent', async () => {
    const { idToken } = await signedIn();
    const { body: old } = await more(idToken);
    await setPrice(gateway.deps.db, 99_00, 10);
    try {
      const { body: fresh } = await more(idToken);
      expect(fresh).toMatchObject({ amount: 99_00, service_days: 10 });
      const intent = await gateway.deps.stripe.paymentIntents.retrieve(old.payment_intent_id);
      expect(intent.status).toBe('canceled');
    } finally {
      await setPrice(gateway.deps.db, 149_00);
    }
  });

  test('a paid but unconfirmed payment is settled when the next one is started', async () => {
    const { idToken } = await signedIn();
    const { body: intent } = await more(idToken);
    await payWithCard(gateway, intent.payment_intent_id);
    const { body: next } = await more(idToken);
    expect(next.payment_intent_id).not.toBe(intent.payment_intent_id);
    const account = await gateway.call('GET', '/account', { token: idToken });
    expect(account.body.days_remaining).toBe(30);
  });

  test('a payment of another user is not settled', async () => {
    const [payer, other] = [await signedIn(), await signedIn()];
    const { body: intent } = await more(payer.idToken);
    await payWithCard(gateway, intent.payment_intent_id);
    const stolen = await settle(other.idToken, intent.payment_intent_id);
    expect(stolen).toMatchObject({ status: 404, body: { code: 'payment_not_found' } });
  });

  test('paying for more is refused while the service is free', async () => {
    const { idToken } = await signedIn();
    await setPrice(gateway.deps.db, 0);
    try {
      expect(await more(idToken)).toMatchObject({
        status: 400,
        body: { error: 'Service is currently free', code: 'service_free' },
      });
    } finally {
      await setPrice(gateway.deps.db, 149_00);
    }
  });
});
