import { Redis } from 'ioredis';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '@proveklar/services/logging/logger.ts';
import { gatewayMetrics } from '@proveklar/operators/metrics/process-metrics.ts';
import { createQuestions, setPrice } from '#support/factories.ts';
import { useTestGateway, WEBHOOK_SECRET, type Answer } from '#support/gateway.ts';
import { uniqueEmail } from '#support/identity.ts';
import { connectLive } from '#support/live.ts';
import { payWithCard, stripeControl } from '#support/pay.ts';
import { useRefusingMailServer } from '#support/refusing-mail-server.ts';
import { queueBackends } from '#support/shared.ts';
import { useTraceCollector } from '#support/trace-collector.ts';
import { sendPaymentSucceeded } from '#support/webhook.ts';
import { useTestWorkers } from '#support/workers.ts';

const SMTP_PASSWORD = 'canary-smtp-password';
const PASSWORD = 'canary password 7Q';
const CARD = '4242424242424242';
const NAME = 'Kanari Kanarifugl';

const gatewayLines: string[] = [];
const collector = useTraceCollector();
const mailServer = useRefusingMailServer(SMTP_PASSWORD);
const gateway = useTestGateway({
  log: createLogger(
    { kind: 'gateway', level: 'debug' },
    { write: (line) => void gatewayLines.push(line) },
  ),
});
const workers = useTestWorkers();
let url: string;

beforeAll(async () => {
  url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  await setPrice(gateway.deps.db, 149_00);
  await createQuestions(gateway.deps.db, { topic: 'Historie', count: 20 });
});

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Lets the database refuse every mail, with an error text that contains secrets. */
async function refuseMails(email: string): Promise<void> {
  const { db } = gateway.deps;
  const words = `no mail to ${email}, ${CARD}, password=${SMTP_PASSWORD}`;
  await db.query(`create or replace function canary() returns trigger language plpgsql as
    $$ begin raise exception '${words}' using detail = '${NAME}', hint = '${PASSWORD}'; end $$`);
  await db.query(
    'create trigger canary before insert on mail for each row execute function canary()',
  );
}

/** Everything stored in the queue. */
async function dumpQueue(redisUrl: string | undefined): Promise<string> {
  if (redisUrl) return dumpRedis(redisUrl);
  const { db } = gateway.deps;
  const { rows: tables } = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'bullmq' and table_type = 'BASE TABLE'`,
  );
  const dumps = tables.map(({ name }) =>
    db.query(`select to_jsonb(t)::text as row from bullmq."${name}" t`),
  );
  return JSON.stringify((await Promise.all(dumps)).map(({ rows }) => rows));
}

async function dumpRedis(redisUrl: string): Promise<string> {
  const redis = new Redis(redisUrl);
  const parts: unknown[] = [];
  for (const key of await redis.keys('*')) {
    const type = await redis.type(key);
    parts.push(key);
    if (type === 'hash') parts.push(await redis.hgetall(key));
    else if (type === 'stream') parts.push(await redis.xrange(key, '-', '+'));
    else if (type === 'zset') parts.push(await redis.zrange(key, 0, '-1'));
    else if (type === 'list') parts.push(await redis.lrange(key, 0, '-1'));
    else if (type === 'set') parts.push(await redis.smembers(key));
    else parts.push(await redis.get(key));
  }
  await redis.quit();
  return JSON.stringify(parts);
}

describe.each(await queueBackends())('with queues on $name', ({ redisUrl }) => {
  const startWorkers = async () => {
    const environment = {
      LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      SMTP_URL: mailServer.smtpUrl,
    };
    const started = await workers.on(gateway, redisUrl, environment);
    started.start();
    return started;
  };

  test('one trace follows a request to the live update', async () => {
    const { readLogs } = await startWorkers();
    const { db } = gateway.deps;
    const learner = await gateway.identity.createPasswordUser();
    const { body: intent } = await gateway.call('POST', '/payment/create-intent', {
      token: learner.idToken,
    });
    await payWithCard(gateway, intent.payment_intent_id);
    const stream = await connectLive(url, learner.idToken);
    const response = await fetch(`${url}/api/v1/payment/confirm`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${learner.idToken}`,
        'content-type': 'application/json',
        'x-request-id': 'chosen-by-the-caller',
      },
      body: JSON.stringify({ payment_intent_id: intent.payment_intent_id }),
    });
    const id = response.headers.get('x-request-id')!;
    expect(id).toMatch(/^[\da-f-]{36}$/);
    const { body: account } = await gateway.call('GET', '/account', { token: learner.idToken });
    expect(account.days_remaining).toBe(30);

    let message: unknown;
    do message = (await stream.next()).data;
    while (!(message as { request_id?: string }).request_id);
    expect(message).toEqual({ topic: 'account', request_id: id });
    stream.close();

    const { rows } = await db.query<{ trace: { request_id: string; traceparent: string } }>(
      `select event -> 'trace' as trace from event_batch, jsonb_array_elements(events) event
       where name = 'payment.succeeded' and event -> 'trace' ->> 'request_id' = $1`,
      [id],
    );
    const [, traceId] = rows[0]!.trace.traceparent.split('-');

    const [line, ...more] = linesOf(gatewayLines.join('')).filter(
      (one) => one.request_id === id && one.msg === 'request',
    );
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      method: 'POST',
      route: '/api/v1/payment/confirm',
      status: 200,
      trace_id: traceId,
      account: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(line).not.toHaveProperty('req');

    const jobLines = async () =>
      linesOf(await readLogs()).filter((one) => one.request_id === id && one.msg === 'job');
    await expect
      .poll(jobLines)
      .toContainEqual(
        expect.objectContaining({ queue: 'live', event: 'payment.succeeded', trace_id: traceId }),
      );

    const ofTrace = () => collector.spans().filter((span) => span.traceId === traceId);
    await expect
      .poll(() => ofTrace().map(({ service, kind }) => `${service} ${kind}`))
      .toEqual(expect.arrayContaining(['proveklar-gateway 2', 'proveklar-workers 5']));
    const spans = ofTrace();
    const server = spans.find(({ kind }) => kind === 2)!;
    expect(server.name).toBe('POST /api/v1/payment/confirm');
    const job = spans.find(({ name }) => name === 'process live')!;
    expect(job.parentSpanId).toBe(server.spanId);
    // The statements of both, by name and without values.
    for (const { spanId, service } of [server, job]) {
      const statements = spans.filter((span) => span.parentSpanId === spanId && span.kind === 3);
      expect(statements, service).not.toEqual([]);
    }
  });

  test('no secret reaches a log, a queue, a trace or a table', async () => {
    const { readLogs } = await startWorkers();
    const { db } = gateway.deps;
    const answers: Answer[] = [];
    const call: typeof gateway.call = async (...options) => {
      const answer = await gateway.call(...options);
      answers.push(answer);
      return answer;
    };
    const email = `canary-${uniqueEmail()}`;
    const person = { email, username: NAME };
    await refuseMails(email);
    const begin = () => call('POST', '/payment/create-registration-intent', { body: person });

    // A declined card, one that requires authentication, and one that is accepted.
    const { body: intent } = await begin();
    const { payment_intent_id } = intent;
    const clientSecret = intent.client_secret as string;
    await expect(payWithCard(gateway, payment_intent_id, 'pm_card_chargeDeclined')).rejects.toThrow(
      'declined',
    );
    await payWithCard(gateway, payment_intent_id, 'pm_card_authenticationRequired');
    const confirmation = { ...person, payment_intent_id, password: PASSWORD };
    await call('POST', '/payment/confirm-registration', { body: confirmation });
    await stripeControl(gateway).authenticate(payment_intent_id, 'fail');
    await payWithCard(gateway, payment_intent_id);
    const { status } = await call('POST', '/payment/confirm-registration', { body: confirmation });
    expect(status).toBe(200);
    await sendPaymentSucceeded(gateway, payment_intent_id);
    const { idToken } = await gateway.identity.signInWithPassword(email, PASSWORD);
    await call('GET', '/account', { token: idToken });
    await call('GET', '/account', { token: `${idToken}x` });

    // Secrets in the wrong places: a card, a password where none belongs, an email address in the query.
    const body = { ...person, card: CARD, password: PASSWORD };
    await call('POST', '/payment/create-registration-intent', { body });
    await call('POST', `/payment/nothing?email=${email}&token=${idToken}`, { body });
    await call('GET', `/admin/users?search=${encodeURIComponent(email)}`, { token: idToken });

    // Stripe's error contains our key, and the database's error contains the row.
    await stripeControl(gateway).addFault({ kind: 'error', call: '*', status: 500, times: 20 });
    expect((await begin()).status).toBe(502);
    await stripeControl(gateway).removeFaults();
    await db.query(
      `alter table payment add constraint canary check (email <> '${email}') not valid`,
    );
    expect((await begin()).status).toBe(500);
    await db.query('alter table payment drop constraint canary');

    // A refused import, and one with invalid rows.
    const admin = await gateway.identity.signInWithGoogle({
      email: gateway.deps.config.ADMIN_EMAIL,
    });
    const rows = [{ question: email, answer: PASSWORD }];
    await call('POST', '/import/questions', { token: admin.idToken, body: rows });
    await call('POST', '/import/questions', { token: admin.idToken, body: { email, PASSWORD } });

    // A job fails with an error that contains secrets: the queue stores the error without them.
    const failed = async () => linesOf(await readLogs()).filter((one) => one.msg === 'failed');
    await expect
      .poll(failed)
      .toContainEqual(expect.objectContaining({ queue: 'mail', request_id: expect.anything() }));
    await expect
      .poll(() => dumpQueue(redisUrl))
      .toMatch(/no mail to \[address\], \[card\], password=\[secret\]/);
    await db.query('drop trigger canary on mail');
    const refused = async () =>
      linesOf(await readLogs()).filter((one) => one.outcome === 'refused');
    await expect.poll(refused).not.toEqual([]);
    await expect.poll(() => collector.bodies.join('').includes('process mail')).toBe(true);

    const { rows: outbox } = await db.query(
      'select to_jsonb(o) from outbox o union all select to_jsonb(b) from event_batch b',
    );
    const metrics = gatewayMetrics({
      version: 'test',
      db,
      countStreams: () => 0,
      keys: { ageSeconds: () => 0, refresh: async () => {} },
    });
    const places = {
      'the log of the gateway': gatewayLines.join(''),
      'the log of the workers': await readLogs(),
      'the queue': await dumpQueue(redisUrl),
      'the outbox and its batches': JSON.stringify(outbox),
      'the answers to faults': JSON.stringify(answers.filter(({ status: s }) => s >= 400)),
      'the figures': await metrics.metrics(),
      'the spans': collector.bodies.join(''),
    };
    const secrets = {
      'the address': email,
      'the address, encoded': encodeURIComponent(email),
      'the name': NAME,
      'the password': PASSWORD,
      'the ID token': idToken.split('.')[1]!,
      'the client secret': clientSecret,
      'the card': CARD,
      "the mail server's password": SMTP_PASSWORD,
      "Stripe's key": gateway.deps.config.STRIPE_SECRET_KEY,
      "the webhook's secret": WEBHOOK_SECRET,
      // With the characters around it: in tests the password is the service's name.
      "the database's password": `:${new URL(gateway.database.url).password}@`,
    };
    const hits = Object.entries(places).flatMap(([place, text]) =>
      Object.entries(secrets).flatMap(([secret, value]) =>
        text.includes(value) ? [`${secret} in ${place}`] : [],
      ),
    );
    expect(hits).toEqual([]);
    // Every place has content; otherwise finding nothing would prove nothing.
    const lengths = Object.values(places).map((text) => text.length);
    expect(Math.min(...lengths)).toBeGreaterThan(100);
  });
});
