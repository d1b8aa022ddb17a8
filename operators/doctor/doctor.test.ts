import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareQueueBackend } from '@proveklar/services/events/queue-backend.ts';
import { setQueuesPaused } from '@proveklar/services/events/queue-pauses.ts';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner, createQuestions, setPrice } from '@proveklar/tests/support/factories.ts';
import { testConfig } from '@proveklar/tests/support/gateway.ts';
import { TestIdentity } from '@proveklar/tests/support/identity.ts';
import { useTestMailbox } from '@proveklar/tests/support/mailbox.ts';
import { databaseAt, TEST_PROJECT } from '@proveklar/tests/support/shared-services.ts';
import { queueBackends, shared } from '@proveklar/tests/support/shared.ts';
import { useStripeStandIns } from '@proveklar/tests/support/stripe-stand-ins.ts';
import { workerEnvironment } from '@proveklar/tests/support/workers.ts';
import type { Finding } from '#status/finding.ts';
import { runChecks, withoutSecrets } from './main.ts';

type Environment = Record<string, string | undefined>;

const database = useTestDatabase();
const mailbox = useTestMailbox();
const standIns = useStripeStandIns();
let healthy: Environment;

/** Starts a Stripe stand-in whose endpoint listens to these events. */
const startStripe = (events: string[], path = '/api/v1/stripe/webhook') =>
  standIns.start(`http://127.0.0.1:1${path}`, events);

beforeAll(async () => {
  const { url } = await shared<{ url: string }>('identity');
  const stripeUrl = await startStripe(['*']);
  const identity = new TestIdentity(url, TEST_PROJECT);
  const config = testConfig(database.url, identity, stripeUrl);
  const gateway = Object.entries(config).map(([name, value]) => [name, String(value)] as const);
  healthy = {
    ...Object.fromEntries(gateway),
    ...workerEnvironment(config, database.url),
    PUBLIC_URL: 'http://127.0.0.1:1',
    SMTP_URL: mailbox.smtpUrl,
  };
  await prepareQueueBackend(database.url);
  await setPrice(database.pool, 149_00);
  await createQuestions(database.pool, { topic: 'Historie', count: 1 });
  await database.pool.query('delete from outbox');
  await database.pool.query(
    `insert into reconciliation (state, since, done_at) values ('done', now(), clock_timestamp())`,
  );
});

/** The findings of a level, as `Check: finding`. */
async function findingsOf(level: Finding['level'], change: Environment = {}): Promise<string[]> {
  const results = await runChecks({ ...healthy, ...change });
  return results.flatMap(({ check, findings }) =>
    findings.filter((finding) => finding.level === level).map(({ found }) => `${check}: ${found}`),
  );
}

const matching = (text: string) => [expect.stringMatching(text)];

describe('the doctor', () => {
  test('reports no fault of a healthy installation', async () => {
    expect(await findingsOf('fault')).toEqual([]);
    expect((await findingsOf('ok')).map((found) => found.split(':', 1)[0])).toEqual(
      expect.arrayContaining([
        'Database',
        'Queue',
        'Workers',
        'Identity',
        'Mail',
        'Stripe',
        'Webhook',
        'Bank',
        'Backup',
      ]),
    );
  });

  test('reports missing questions and an old backup', async () => {
    const { pool } = database;
    await pool.query('update question set validated = false');
    await pool.query(
      `insert into backup_run (started_at, bytes) values (now() - interval '2 days', 1)`,
    );
    try {
      expect(await findingsOf('fault')).toEqual([
        'Backup: the last backup is 2 days old',
        'Bank: there is no validated question',
      ]);
    } finally {
      await pool.query('update question set validated = true');
      await pool.query('delete from backup_run');
    }
  });

  test.each<[string, Environment, string]>([
    ['a bad setting', { PUBLIC_URL: 'example.no' }, '^Configuration: PUBLIC_URL'],
    ['a key that Stripe refuses', { STRIPE_SECRET_KEY: 'sk_test_wrong-key' }, '^Stripe: .*refuses'],
    [
      'a closed mail server',
      { SMTP_URL: 'smtp://127.0.0.1:1' },
      '^Mail: 127.0.0.1:1 does not answer',
    ],
    ['a closed queue', { QUEUE_URL: 'redis://127.0.0.1:1' }, '^Queue: .*ECONNREFUSED'],
  ])('reports %s', async (_what, change, found) => {
    expect(await findingsOf('fault', change)).toEqual(matching(found));
  });

  test('reports a missing webhook endpoint, and events that it does not listen to', async () => {
    const elsewhere = { STRIPE_API_URL: await startStripe(['*'], '/elsewhere') };
    expect(await findingsOf('fault', elsewhere)).toEqual(matching('^Webhook: no webhook endpoint'));
    const incomplete = { STRIPE_API_URL: await startStripe(['payment_intent.succeeded']) };
    expect(await findingsOf('fault', incomplete)).toEqual(matching('^Webhook: .*charge.refunded'));
  });

  test('registers the domain for wallets only when it is told to', async () => {
    const PUBLIC_URL = 'https://wallets.example.no';
    const wallets = async (registers: boolean) => {
      const results = await runChecks({ ...healthy, PUBLIC_URL }, { registers });
      return results.find(({ check }) => check === 'Wallets')!.findings.map(({ found }) => found);
    };
    const unknown = [expect.stringContaining('wallets.example.no is not registered')];
    expect(await wallets(false)).toEqual(unknown);
    expect(await wallets(false)).toEqual(unknown);
    const shown = ['wallets.example.no shows Apple Pay and Google Pay'];
    expect(await wallets(true)).toEqual(shown);
    expect(await wallets(false)).toEqual(shown);
  });

  test('reports a database with a wrong encoding and without migrations', async () => {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await database.pool.query(
      `create database ${name} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
    );
    try {
      expect(await findingsOf('fault', { DATABASE_URL: databaseAt(database.url, name) })).toEqual([
        expect.stringMatching('^Database: .*SQL_ASCII'),
        expect.stringMatching('^Database: [0-9]+ migrations are not applied'),
      ]);
    } finally {
      await database.pool.query(`drop database ${name} with (force)`);
    }
  });

  test('reports workers that do nothing', async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into outbox (name, payload, created_at)
       values ('account.changed', '{}', now() - interval '10 minutes') returning id`,
    );
    await database.pool.query(`update reconciliation set done_at = now() - interval '1 hour'`);
    try {
      expect(await findingsOf('fault')).toEqual([
        'Workers: an event has waited in the outbox for 10 min',
        'Workers: the last reconciliation was 60 min ago; one is due every minute',
      ]);
    } finally {
      await database.pool.query('delete from outbox where id = $1', [rows[0]!.id]);
      await database.pool.query('update reconciliation set done_at = clock_timestamp()');
    }
  });

  test('reports a security.txt that is missing or expires soon', async () => {
    let answer = '';
    const site = createServer(({ url }, response) => {
      response.end(url === '/.well-known/security.txt' ? answer : 'ok');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const PUBLIC_URL = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const isAboutSecurityTxt = (found: string) => found.includes('security.txt');
    const warnings = async (NODE_ENV: string) =>
      (await findingsOf('warning', { NODE_ENV, PUBLIC_URL })).filter(isAboutSecurityTxt);
    const inDays = (days: number) =>
      `Contact: mailto:a@b.no\nExpires: ${new Date(Date.now() + days * 86_400_000).toISOString()}\n`;
    try {
      const path = `Web: ${PUBLIC_URL}/.well-known/security.txt`;
      expect(await warnings('production')).toEqual([`${path} has no contact for security reports`]);
      expect(await warnings('development')).toEqual([]);
      answer = inDays(20.5);
      expect(await warnings('production')).toEqual([`${path} expires in 20 days`]);
      answer = inDays(31);
      expect(await warnings('production')).toEqual([]);
    } finally {
      site.close();
    }
  });

  test('reports a paused queue, and not that its events are late', async () => {
    const { pool } = database;
    await pool.query(
      `with batch as (
         insert into event_batch (id, name, events, created_at)
         values (uuidv7(), 'payment.succeeded', '[]', now() - interval '3 minutes') returning id)
       insert into event_delivery (batch_id, queue, published_at) select id, 'mail', now() from batch`,
    );
    const late = expect.stringContaining('events have waited to be consumed by mail');
    expect(await findingsOf('warning')).toContainEqual(late);
    const decide = (paused: boolean) =>
      setQueuesPaused(pool, { names: ['mail'], paused, by: 'operator' });
    await decide(true);
    expect(await findingsOf('warning')).toContainEqual(
      expect.stringMatching(/^Workers: paused: mail, for \d+ s$/),
    );
    expect(await findingsOf('warning')).not.toContainEqual(late);
    await decide(false);
    expect(await findingsOf('warning')).toContainEqual(late);
    await emptyTables(pool, 'event_batch');
  });

  test('reports rejected events', async () => {
    await database.pool.query(
      `insert into rejected_event (event_id, name, queue, batch_id, payload, reason)
       values (gen_random_uuid(), 'service.ending', 'mail', gen_random_uuid(), '{}', 'bad')`,
    );
    try {
      expect(await findingsOf('warning')).toContain('Workers: 1 rejected event: mail');
    } finally {
      await database.pool.query('delete from rejected_event');
    }
  });

  test('reports payments that need attention, and a webhook that delivers nothing', async () => {
    const { id, email } = await createLearner(database.pool, { days: 0 });
    await database.pool.query(
      `insert into payment (purpose, payment_intent_id, account_id, email, amount_ore, currency, service_days,
         state, settled_at, attention)
       values ('registration', 'pi_x', $1, $2, 14900, 'nok', 30, 'settled',
         now() - interval '1 hour', 'disputed')`,
      [id, email],
    );
    await database.pool.query(`update reconciliation set unknown_intents = '{pi_x,pi_y}'`);
    try {
      expect(await findingsOf('fault')).toEqual([
        'Webhook: no webhook event came since the payment of 60 min ago',
        'Payments: paid at Stripe and not in our books: pi_y',
      ]);
      expect(await findingsOf('warning')).toContain(
        'Payments: 1 payment needs attention: disputed 1',
      );
    } finally {
      await database.pool.query('delete from payment');
      await database.pool.query(`update reconciliation set unknown_intents = '{}'`);
    }
  });

  test('reports a Redis that would evict jobs', async (context) => {
    const url = (await queueBackends()).find(({ name }) => name === 'redis')?.redisUrl;
    context.skip(!url, 'no Redis here');
    if (!url) return;
    await setEvictionPolicy(url, 'allkeys-lru');
    try {
      expect(await findingsOf('fault', { QUEUE_URL: url })).toEqual(
        matching('^Queue: maxmemory-policy is allkeys-lru'),
      );
    } finally {
      await setEvictionPolicy(url, 'noeviction');
    }
    expect(await findingsOf('fault', { QUEUE_URL: url })).toEqual([]);
  });

  test('reports checks that time out', async () => {
    const results = await runChecks(healthy, { timeoutMs: 1 });
    const found = results.flatMap(({ findings }) => findings.map((finding) => finding.found));
    expect(found).toContain('no answer within 0.001 s');
  });

  test('exits with 1 on a fault, and --json prints no secret', async () => {
    const environment = { ...healthy, STRIPE_SECRET_KEY: 'sk_test_wrong-key' };
    const script = join(import.meta.dirname, 'main.ts');
    const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
      execFile(process.execPath, [script, '--json'], { env: environment }, (error, output) =>
        resolve({ code: error?.code, stdout: output }),
      );
    });
    expect(code).toBe(1);
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: { check: string }[] };
    expect([ok, checks.length]).toEqual([false, 14]);
    expect(stdout).not.toMatch(/sk_test_wrong-key|whsec_|proveklar:proveklar/);
  });

  test('masks passwords in errors', () => {
    const text = 'redis://:secret@host and smtps://me:secret@host with whsec_b';
    expect(withoutSecrets(text, { STRIPE_WEBHOOK_SECRET: 'whsec_a,whsec_b' })).toBe(
      'redis://:•••@host and smtps://me:•••@host with •••',
    );
  });
});

/** Speaks the Redis protocol over a socket, which needs no client. */
async function setEvictionPolicy(redisUrl: string, policy: string): Promise<void> {
  const { hostname, port } = new URL(redisUrl);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`CONFIG SET maxmemory-policy ${policy}\r\n`),
    );
    socket.once('data', (data) => {
      socket.destroy();
      resolve(String(data));
    });
    socket.once('error', reject);
  });
  expect(answer).toBe('+OK\r\n');
}
