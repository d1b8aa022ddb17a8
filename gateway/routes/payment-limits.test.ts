import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { GatewayConfig, parseConfig } from '@proveklar/services/config/config.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { processStripeEvent } from '@proveklar/services/payments/incoming/stripe-events.ts';
import { forgetClientAddresses } from '@proveklar/services/payments/personal-data.ts';
import { addDays, setPrice } from '@proveklar/tests/support/factories.ts';
import { createTestDeps, useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { payWithCard } from '@proveklar/tests/support/pay.ts';
import { buildApp } from '../app.ts';

const gateway = useTestGateway();
beforeAll(() => setPrice(gateway.deps.db, 149_00));

let app: FastifyInstance;
let address: string;
let lastAddress = 0;
beforeAll(async () => {
  app = await open();
});
beforeEach(() => {
  address = anotherAddress();
});
afterAll(() => app.close());

function anotherAddress(): string {
  lastAddress += 1;
  return `198.51.100.${lastAddress}`;
}

/** Another gateway on the same database, with the production limits. */
async function open(TRUSTED_PROXIES = ''): Promise<FastifyInstance> {
  const set = Object.entries(gateway.deps.config).map(([name, value]) => [name, String(value)]);
  const environment = Object.fromEntries(
    set.filter(([name]) => !/^(INTENTS|DECLINES)_/.test(name!)),
  ) as Record<string, string>;
  const config = parseConfig(GatewayConfig, { ...environment, TRUSTED_PROXIES });
  return buildApp(createTestDeps(config));
}

interface From {
  ip?: string;
  email?: string;
  key?: string;
  forwardedFor?: string;
  on?: FastifyInstance;
}

async function post(path: string, body: object | undefined, headers: object, from: From) {
  const { ip = address, key, forwardedFor, on = app } = from;
  const answer = await on.inject({
    method: 'POST',
    url: `/api/v1/payment/${path}`,
    remoteAddress: ip,
    headers: {
      ...headers,
      ...(key && { 'idempotency-key': key }),
      ...(forwardedFor && { 'x-forwarded-for': forwardedFor }),
    },
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json(), after: answer.headers['retry-after'] };
}

const register = (from: From = {}) =>
  post(
    'create-registration-intent',
    { email: from.email ?? uniqueEmail(), username: 'Ny' },
    {},
    from,
  );
const extend = (token: string, from: From = {}) =>
  post('create-intent', undefined, { authorization: `Bearer ${token}` }, from);

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

/** The seconds of Retry-After. */
function waitOf({ status, body, after }: Awaited<ReturnType<typeof post>>): number {
  expect([status, body.code]).toEqual([429, 'rate_limited']);
  expect(after).toBe(String(body.details.retry_after_s));
  return body.details.retry_after_s as number;
}

/** Inserts payments that were started some minutes ago. */
async function begun(
  count: number,
  {
    from = null as string | null,
    email = uniqueEmail(),
    accountId = '',
    minutes = 0,
    declines = 0,
  },
): Promise<void> {
  await gateway.deps.db.query(
    `with begun as (
       insert into payment (purpose, account_id, email, username, amount_ore, service_days, state,
         client_address, created_at)
       select case when $3 = '' then 'registration' else 'extension' end, nullif($3, '')::uuid, $2,
         'Ny', 14900, 30, 'cancelled', $1, now() - make_interval(mins => $4)
       from generate_series(1, $5) returning id, created_at)
     insert into card_decline (charge_id, payment_id, declined_at)
     select gen_random_uuid(), id, created_at
     from (select * from begun limit 1), generate_series(1, $6)`,
    [from, email, accountId, minutes, count, declines],
  );
}

async function learner() {
  const { uid, email, idToken } = await gateway.identity.createPasswordUser();
  return { email, idToken, accountId: await addDays(gateway.deps.db, { uid, email }, 1) };
}

describe('the limit by client address', () => {
  test('a hundred concurrent calls at two gateways start sixty payments, also after a restart', async () => {
    const other = await open();
    try {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) => register({ on: n % 2 ? app : other })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        expect(waitOf(answer)).toBeGreaterThan(1_800);
      }
    } finally {
      await other.close();
    }
    await app.close();
    app = await open();
    expect(waitOf(await register())).toBeLessThanOrEqual(3_600);
    expect(waitOf(await register({ ip: `::ffff:${address}` }))).toBeGreaterThan(1_800);
    expect(await statusOf(register({ ip: '192.0.2.1' }))).toBe(200);
  });

  test('payments of one IPv6 network share a limit', async () => {
    await register({ ip: '2001:db8:1:2::1' });
    await begun(59, { from: '2001:db8:1:0::/56', minutes: 50 });
    const wait = waitOf(await register({ ip: '2001:db8:1:ff:3:4:5:6' }));
    expect(wait).toBeGreaterThan(300);
    expect(wait).toBeLessThanOrEqual(600);
    expect(await statusOf(register({ ip: '2001:db8:1:100::1' }))).toBe(200);
  });

  test('an address with five declined cards may start three payments an hour', async () => {
    await begun(1, { from: address, minutes: 61, declines: 5 });
    await begun(3, { from: address, minutes: 20 });
    expect(await statusOf(register())).toBe(200);
    await begun(1, { from: address, minutes: 30, declines: 4 });
    expect(await statusOf(register())).toBe(200);
    await begun(1, { from: address, minutes: 10, declines: 1 });
    // The declines expire first: the fifth of them is 30 minutes old.
    const wait = waitOf(await register());
    expect(wait).toBeGreaterThan(900);
    expect(wait).toBeLessThanOrEqual(1_800);
  });

  test('the client address cannot be forged by X-Forwarded-For', async () => {
    await begun(60, { from: address });
    const forwardedFor = '203.0.113.9';
    expect(await statusOf(register({ forwardedFor }))).toBe(429);
    const behind = await open('10.0.0.1, 10.1.0.0/16');
    try {
      const through = (forwarded: string, ip = '10.0.0.1') =>
        statusOf(register({ ip, forwardedFor: forwarded, on: behind }));
      expect(await through(address)).toBe(429);
      expect(await through(`${forwardedFor}, ${address}`)).toBe(429);
      expect(await through(`${forwardedFor}, ${address}, 10.1.2.3`)).toBe(429);
      expect(await through(`${address}, ${forwardedFor}`)).toBe(200);
      expect(await through(forwardedFor, address)).toBe(429);
      // Invalid addresses share one counter.
      await begun(60, { from: 'unknown' });
      expect(await through('nobody')).toBe(429);
    } finally {
      await behind.close();
    }
  });
});

describe('the limit by learner', () => {
  test('five registrations an hour for an address from one network, whether or not it is registered', async () => {
    const [{ email: taken }, free] = [await learner(), uniqueEmail()];
    const answers = [];
    for (const email of [taken, free]) {
      await begun(4, { email, from: address, minutes: 40 });
      answers.push([await register({ email }), await register({ email: email.toUpperCase() })]);
    }
    for (const [fifth, sixth] of answers) {
      expect(fifth!.status).toBe(200);
      expect(waitOf(sixth!)).toBeGreaterThan(600);
      expect(waitOf(sixth!)).toBeLessThanOrEqual(1_200);
    }
    const shapes = answers.map((pair) => pair.map(({ status, body }) => [status, shapeOf(body)]));
    expect(shapes[0]).toEqual(shapes[1]);
  });

  test('five concurrent registrations of one learner', async () => {
    const email = uniqueEmail();
    const answers = await Promise.all(Array.from({ length: 20 }, () => register({ email })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  });

  test('payments that a stranger starts under an address do not block its owner', async () => {
    const [email, stranger] = [uniqueEmail(), anotherAddress()];
    const tries = [];
    for (let n = 0; n < 6; n += 1) tries.push(await statusOf(register({ email, ip: stranger })));
    expect(tries).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await statusOf(register({ email }))).toBe(200);
    // Nor do the stranger's declined cards.
    await begun(1, { email, from: stranger, declines: 5 });
    expect(await statusOf(register({ email }))).toBe(200);
    expect(await statusOf(register({ email, ip: stranger }))).toBe(429);
  });

  test('twenty declined cards under an address block it, wherever they come from', async () => {
    const email = uniqueEmail();
    for (let n = 0; n < 4; n += 1) {
      await begun(1, { email, from: anotherAddress(), minutes: 40, declines: n < 3 ? 5 : 4 });
    }
    expect(await statusOf(register({ email }))).toBe(200);
    await begun(1, { email, from: anotherAddress(), declines: 1 });
    const wait = waitOf(await register({ email, ip: anotherAddress() }));
    expect(wait).toBeGreaterThan(900);
    expect(wait).toBeLessThanOrEqual(1_200);
  });

  test('a stranger who registers under an address does not block payments of its learner', async () => {
    const { email, idToken, accountId } = await learner();
    const stranger = anotherAddress();
    await begun(5, { email, from: stranger, declines: 5 });
    expect(await statusOf(register({ email, ip: stranger }))).toBe(429);
    expect(await statusOf(extend(idToken))).toBe(200);
    // Nor do the learner's own payments reveal that the address is registered.
    const other = await learner();
    await begun(5, { accountId: other.accountId, email: other.email, from: address });
    await begun(1, { accountId: other.accountId, email: other.email, declines: 5 });
    expect(await statusOf(register({ email: other.email }))).toBe(200);
    expect(await statusOf(extend(other.idToken))).toBe(429);
    expect(accountId).not.toBe(other.accountId);
  });

  test('continuing a started payment is not limited', async () => {
    const { idToken, email, accountId } = await learner();
    const click = { email: uniqueEmail(), key: 'one and the same click' };
    const [first, opened] = [await register(click), await extend(idToken)];
    await begun(5, { email: click.email, from: address });
    await begun(5, { email, accountId });
    await begun(60, { from: address });
    for (let n = 0; n < 3; n += 1) {
      expect(await register(click)).toEqual(first);
      expect(await extend(idToken)).toEqual(opened);
    }
  });

  test('one click sent twenty times at once counts once', async () => {
    const click = { email: uniqueEmail(), key: 'the last of five' };
    await begun(4, { email: click.email, from: address });
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(click)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.payment_intent_id)).size).toBe(1);
  });
});

describe('the limit after declined cards', () => {
  /** Six cards that the bank declines; then the worker processes the events. */
  async function tryCards(intentId: string): Promise<void> {
    for (let n = 0; n < 6; n += 1) {
      const tried = payWithCard(gateway, intentId, 'pm_card_chargeDeclined');
      await expect(tried).rejects.toThrow('declined');
    }
    const id = `evt_${crypto.randomUUID()}`;
    await gateway.deps.db.query(
      `insert into stripe_event (id, type, object_id) values ($1, 'payment_intent.payment_failed', $2)`,
      [id, intentId],
    );
    expect(await processStripeEvent(gateway.deps, id, 0)).toBe('done');
  }

  test('declined cards cancel the payment, and block another one for the rest of the hour', async () => {
    const { idToken } = await learner();
    const email = uniqueEmail();
    const again = [() => register({ email, ip: '192.0.2.7' }), () => extend(idToken)];
    for (const begin of again) {
      const { payment_intent_id: id } = (await begin()).body;
      await tryCards(id);
      const { status } = await gateway.deps.stripe.paymentIntents.retrieve(id);
      expect(status).toBe('canceled');
      const wait = waitOf(await begin());
      expect(wait).toBeGreaterThan(1_800);
      expect(wait).toBeLessThanOrEqual(3_600);
    }
    await gateway.deps.db.query(`update card_decline set declined_at = now() - interval '1 hour'`);
    for (const begin of again) expect((await begin()).status).toBe(200);
  });
});

describe('while the service is free', () => {
  const confirm = (from: From & { email: string }) =>
    post(
      'confirm-registration',
      { email: from.email, username: 'Ny', password: 'et godt passord' },
      {},
      from,
    );

  test('registrations have the same limits while the service is free', async () => {
    await setPrice(gateway.deps.db, 0);
    try {
      const email = uniqueEmail();
      const answers = await Promise.all(Array.from({ length: 20 }, () => confirm({ email })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      expect(waitOf(await confirm({ email }))).toBeGreaterThan(1_800);
      // The owner of the address is elsewhere, and must not be mailed without limit.
      expect(await statusOf(confirm({ email, ip: anotherAddress() }))).toBe(200);
      const others = await Promise.all(
        Array.from({ length: 20 }, () => confirm({ email, ip: anotherAddress() })),
      );
      expect(others.filter(({ status }) => status === 200)).toHaveLength(14);
      await gateway.deps.db.query(
        `insert into free_registration (email, client_address)
         select 'en@example.no', $1 from generate_series(1, 55)`,
        [address],
      );
      const newcomer = uniqueEmail();
      waitOf(await confirm({ email: newcomer }));
      expect(await gateway.identity.findUser(newcomer)).toBeUndefined();
      expect((await confirm({ email: newcomer, ip: '192.0.2.8' })).status).toBe(200);
    } finally {
      await setPrice(gateway.deps.db, 149_00);
    }
  });
});

test('client addresses of payments are deleted after a day', async () => {
  const { db } = gateway.deps;
  const email = uniqueEmail();
  for (const minutes of [23 * 60, 25 * 60]) await begun(1, { email, from: address, minutes });
  await db.query(
    `insert into free_registration (email, client_address, created_at)
     select $1, '192.0.2.9', now() - make_interval(hours => age) from unnest(array[23, 25]) as age`,
    [email],
  );
  await withTransaction(db, forgetClientAddresses);
  const payments = await db.query(
    'select client_address from payment where email = $1 order by created_at',
    [email],
  );
  expect(payments.rows.map((row) => row.client_address)).toEqual([null, address]);
  const free = await db.query('select from free_registration where email = $1', [email]);
  expect(free.rowCount).toBe(1);
});

/** The field names of a body. */
function shapeOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return typeof body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, shapeOf(value)]));
}

test('a payment of a client that has left counts for its address', async () => {
  const { db } = gateway.deps;
  const { idToken, uid } = await gateway.identity.createPasswordUser();
  const on = await open();
  onTestFinished(() => on.close());
  await on.listen({ port: 0, host: '127.0.0.1' });
  const hasLeft = new Promise((resolve) => {
    on.server.once('connection', (socket) => socket.once('close', resolve));
  });
  const blocker = await db.connect();
  await blocker.query('begin; lock table account in access exclusive mode');
  const client = connect((on.server.address() as AddressInfo).port, '127.0.0.1');
  client.write(
    'POST /api/v1/payment/create-intent HTTP/1.1\r\nhost: x\r\n' +
      `authorization: Bearer ${idToken}\r\ncontent-length: 0\r\n\r\n`,
  );
  const waiting = async () =>
    (await db.query(`select from pg_locks where relation = 'account'::regclass and not granted`))
      .rowCount;
  await expect.poll(waiting).toBe(1);
  client.destroy();
  await hasLeft;
  await blocker.query('rollback');
  blocker.release();
  const begun = async () => {
    const { rows } = await db.query<{ client_address: string }>(
      `select client_address from payment join account on account.id = account_id where uid = $1`,
      [uid],
    );
    return rows;
  };
  await expect.poll(begun).toEqual([{ client_address: '127.0.0.1' }]);
});
