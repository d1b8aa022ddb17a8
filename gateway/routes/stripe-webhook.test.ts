import Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import { processStripeEvent } from '@proveklar/services/payments/incoming/stripe-events.ts';
import { addDays, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway, WEBHOOK_SECRET } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import {
  choosePasswordByMail,
  sendPasswordMails,
} from '@proveklar/tests/support/password-mails.ts';
import { countUsers, payWithCard } from '@proveklar/tests/support/pay.ts';

const gateway = useTestGateway();
beforeAll(() => setPrice(gateway.deps.db, 149_00));

interface Posted {
  id?: string;
  type?: string;
  objectId?: string;
  secret?: string;
  /** Seconds from now. */
  at?: number;
  signature?: string;
  /** Changes the signature header. */
  header?: (signed: string) => string;
  /** A body that replaces the event. */
  body?: string;
  change?: (body: string) => string;
}

const now = () => `t=${Math.floor(Date.now() / 1000)}`;

async function post({ secret = WEBHOOK_SECRET, at = 0, ...posted }: Posted) {
  const { id = `evt_${crypto.randomUUID()}`, change = (body) => body } = posted;
  const type = posted.type ?? 'payment_intent.succeeded';
  const object = { id: posted.objectId ?? 'pi_x', object: 'payment_intent' };
  const { header = (signed) => signed } = posted;
  const payload = posted.body ?? JSON.stringify({ id, object: 'event', type, data: { object } });
  const timestamp = Math.floor(Date.now() / 1000) + at;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const response = await gateway.app.inject({
    method: 'POST',
    url: '/api/v1/stripe/webhook',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': posted.signature ?? header(signature),
    },
    payload: change(payload),
  });
  return { id, status: response.statusCode, body: response.json() };
}

const stored = async (id: string) => {
  const { rows } = await gateway.deps.db.query(
    `select (select count(*)::int from stripe_event where id = $1) as events,
            (select count(*)::int from outbox where payload->>'stripe_event_id' = $1) as outbox`,
    [id],
  );
  return rows[0];
};

describe('the webhook', () => {
  test('the webhook stores an event once, with the event for the workers', async () => {
    const { id, status, body } = await post({});
    expect([status, body]).toEqual([200, { received: true }]);
    await Promise.all([post({ id }), post({ id }), post({ id, at: -200 })]);
    expect(await stored(id)).toEqual({ events: 1, outbox: 1 });
  });

  test.each<[string, Posted]>([
    ['signed with another secret', { secret: 'whsec_other' }],
    ['too old', { at: -301 }],
    ['from the future', { at: 302 }],
    ['written again', { change: (body) => JSON.stringify(JSON.parse(body), null, 1) }],
    ['altered', { change: (body) => body.replace('pi_x', 'pi_y') }],
    ['without a signature', { signature: '' }],
    ['signed with an invalid signature', { signature: 't=1,v1=abc' }],
    ['empty', { change: () => '' }],
    // Stripe's library uses the last timestamp, so that one is checked.
    ['from the future behind a time that is right', { at: 302, header: (it) => `${now()},${it}` }],
  ])('the webhook refuses an event that is %s', async (_name, posted) => {
    const { id, status, body } = await post(posted);
    expect([status, body.code]).toEqual([400, 'signature_invalid']);
    expect(await stored(id)).toEqual({ events: 0, outbox: 0 });
  });
});

const object = { id: 'pi_x', object: 'payment_intent' };
const type = 'payment_intent.succeeded';
test.each<[string, unknown]>([
  ['null', null],
  ['an array', []],
  ['a number', 1],
  ['an empty object', {}],
  ['an event without data', { id: 'evt_1', type }],
  ['an event without its object', { id: 'evt_1', type, data: {} }],
  ['an event with a string as its object', { id: 'evt_1', type, data: { object: 'pi_x' } }],
  ['an event without an id', { type, data: { object } }],
  ['an event with an empty id', { id: '', type, data: { object } }],
  ['an event with a numeric id', { id: 1, type, data: { object } }],
  ['an event with NUL in its id', { id: 'evt_\0', type, data: { object } }],
  ['an event with half a surrogate pair in its id', { id: 'evt_\ud800', type, data: { object } }],
  ['an event with a very long id', { id: 'x'.repeat(10_000), type, data: { object } }],
  ['an event with NUL in its type', { id: 'evt_1', type: '\0', data: { object } }],
  [
    'an event about an object with NUL in its id',
    { id: 'evt_1', type, data: { object: { id: '\0' } } },
  ],
])('the webhook answers 400 to a signed body that is %s', async (_name, body) => {
  const answer = await post({ body: JSON.stringify(body) });
  expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
});

test('the webhook stores an event without a usable payment id', async () => {
  const id = `evt_${crypto.randomUUID()}`;
  const charge = { object: 'charge', payment_intent: 'pi_\0' };
  const { status } = await post({ body: JSON.stringify({ id, type, data: { object: charge } }) });
  expect(status).toBe(200);
  const { rows } = await gateway.deps.db.query(
    'select object_id, payment_intent_id from stripe_event where id = $1',
    [id],
  );
  expect(rows).toEqual([{ object_id: '', payment_intent_id: null }]);
});

test('during a rotation the old and the new webhook secret are accepted', async () => {
  const { deps } = gateway;
  const before = deps.webhookSecrets;
  deps.webhookSecrets = ['whsec_new', WEBHOOK_SECRET];
  try {
    const answers = await Promise.all(
      ['whsec_new', WEBHOOK_SECRET, 'whsec_other'].map((secret) => post({ secret })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    const counts = await Promise.all(answers.map(({ id }) => stored(id)));
    expect(counts.map(({ events }) => events)).toEqual([1, 1, 0]);
  } finally {
    deps.webhookSecrets = before;
  }
});

describe('an event about a payment', () => {
  const receive = async (posted: Posted) => (await post(posted)).id;
  const process = (id: string, graceMs = 0) => processStripeEvent(gateway.deps, id, graceMs);

  async function paid(
    email = uniqueEmail(),
    card: 'pm_card_visa' | 'pm_card_createDispute' = 'pm_card_visa',
  ) {
    const { body } = await gateway.call('POST', '/payment/create-registration-intent', {
      body: { email, username: 'Ny' },
    });
    await payWithCard(gateway, body.payment_intent_id, card);
    return { email, username: 'Ny', payment_intent_id: body.payment_intent_id as string };
  }

  test('an event completes the registration of a learner who never came back', async () => {
    const { email, payment_intent_id: objectId } = await paid();
    expect(await process(await receive({ objectId }))).toBe('done');
    expect(await countUsers(gateway, email)).toBe(1);
    expect(await sendPasswordMails(gateway, email)).toMatchObject([{ subject: 'Velg passord' }]);
  });

  test('an event waits some time for a learner who is about to confirm', async () => {
    const registration = await paid();
    const id = await receive({ objectId: registration.payment_intent_id });
    const outcome = await process(id, 60_000);
    expect(outcome).toMatchObject({ retryInMs: expect.any(Number) });
    await gateway.call('POST', '/payment/confirm-registration', {
      body: { ...registration, password: 'et godt passord' },
    });
    expect(await process(id, 60_000)).toBe('done');
    expect(await sendPasswordMails(gateway, registration.email)).toEqual([]);
    await gateway.identity.signInWithPassword(registration.email, 'et godt passord');
  });

  test('an event of a registration that is disputed at once waits for its learner too', async () => {
    const registration = await paid(uniqueEmail(), 'pm_card_createDispute');
    const id = await receive({ objectId: registration.payment_intent_id });
    // Processed now, it would never mail a link: another event creates the account later.
    expect(await process(id, 60_000)).toMatchObject({ retryInMs: expect.any(Number) });
    expect(await process(id)).toBe('done');
    expect(await sendPasswordMails(gateway, registration.email)).toHaveLength(1);
  });

  test('a late confirm sets the password, until the first sign-in', async () => {
    const registration = await paid();
    await process(await receive({ objectId: registration.payment_intent_id }));
    const confirm = (password: string) =>
      gateway.call('POST', '/payment/confirm-registration', {
        body: { ...registration, password },
      });
    expect((await confirm('the first one')).body).toMatchObject({ account_existed: false });
    await gateway.identity.signInWithPassword(registration.email, 'the first one');
    await confirm('the second one');
    const second = gateway.identity.signInWithPassword(registration.email, 'the second one');
    await expect(second).rejects.toThrow('INVALID_LOGIN_CREDENTIALS');
    expect(await countUsers(gateway, registration.email)).toBe(1);
  });

  test('a password that the owner chose by the link is kept', async () => {
    const registration = await paid();
    await process(await receive({ objectId: registration.payment_intent_id }));
    await choosePasswordByMail(gateway, registration.email, "the owner's own");
    await gateway.call('POST', '/payment/confirm-registration', {
      body: { ...registration, password: 'of the payer' },
    });
    await gateway.identity.signInWithPassword(registration.email, "the owner's own");
  });

  test('an event does not restore an account that was deleted since', async () => {
    const registration = await paid();
    const confirm = () =>
      gateway.call('POST', '/payment/confirm-registration', {
        body: { ...registration, password: 'et godt passord' },
      });
    await confirm();
    const user = await gateway.identity.findUser(registration.email);
    await gateway.identity.deleteUser(user!.localId);
    await gateway.deps.db.query(`update account set state = 'deleted' where uid = $1`, [
      user!.localId,
    ]);
    expect(await confirm()).toMatchObject({ status: 401, body: { code: 'account_disabled' } });
    const late = await receive({ objectId: registration.payment_intent_id });
    expect(await process(late)).toBe('done');
    expect(await gateway.identity.findUser(registration.email)).toBeUndefined();
  });

  test('the confirm call and ten concurrent events credit the payment once', async () => {
    const registration = await paid();
    const { payment_intent_id: objectId } = registration;
    const ids = await Promise.all(Array.from({ length: 10 }, () => receive({ objectId })));
    await Promise.all([
      ...ids.map((id) => process(id)),
      gateway.call('POST', '/payment/confirm-registration', {
        body: { ...registration, password: 'et godt passord' },
      }),
    ]);
    expect(await countUsers(gateway, registration.email)).toBe(1);
  });

  test("an event changes nothing that Stripe's API does not confirm", async () => {
    const { body } = await gateway.call('POST', '/payment/create-registration-intent', {
      body: { email: uniqueEmail(), username: 'Ny' },
    });
    const lie = await receive({ objectId: body.payment_intent_id });
    expect(await process(lie)).toBe('done');
    const { rows } = await gateway.deps.db.query(
      'select state, account_id from payment where payment_intent_id = $1',
      [body.payment_intent_id],
    );
    expect(rows).toEqual([{ state: 'open', account_id: null }]);
    expect(await process(await receive({ objectId: 'pi_of_somebody_else' }))).toBe('ignored');
    expect(await process(await receive({ type: 'customer.created' }))).toBe('ignored');
  });

  test('an event of a cancelled payment frees the account for another', async () => {
    const user = await gateway.identity.createPasswordUser();
    await addDays(gateway.deps.db, user, 0);
    const { body } = await gateway.call('POST', '/payment/create-intent', { token: user.idToken });
    const objectId = body.payment_intent_id as string;
    await gateway.deps.stripe.paymentIntents.cancel(objectId);
    expect(await process(await receive({ objectId, type: 'payment_intent.canceled' }))).toBe(
      'done',
    );
    const { rows } = await gateway.deps.db.query(
      'select state from payment where payment_intent_id = $1',
      [objectId],
    );
    expect(rows).toEqual([{ state: 'cancelled' }]);
  });
});
