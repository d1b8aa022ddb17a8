import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareQueueBackend } from '@proveklar/services/events/queue-backend.ts';
import { addDays, createQuestions, setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { payWithCard } from '#support/pay.ts';
import { startProcesses, type Processes } from '../payments/processes.ts';
import { canSetClocks, clockAhead } from './system.ts';

// A gateway and workers whose clocks are ten minutes wrong: PostgreSQL's clock decides on access, and Google's
// on the sign-in.
const gateway = useTestGateway();

describe.skipIf(!canSetClocks()).each([10, -10])('with clocks %i min ahead', (minutes) => {
  let folder: string;
  let processes: Processes;

  beforeAll(async () => {
    const { db, config } = gateway.deps;
    await prepareQueueBackend(config.DATABASE_URL);
    await setPrice(db, 149_00, 30);
    await createQuestions(db, { topic: `Tid ${minutes}`, count: 12 });
    folder = await mkdtemp(join(tmpdir(), 'proveklar-clocks-'));
    const environmentOf = () => clockAhead(minutes);
    processes = await startProcesses({
      config,
      workers: 1,
      environment: {},
      environmentOf,
      folder,
    });
  });
  afterAll(async () => {
    await processes?.stop();
    await rm(folder, { recursive: true });
  });

  async function call(token: string, method: 'GET' | 'POST', path: string, body?: object) {
    const response = await fetch(`${processes.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the type it expects
    return { status: response.status, body: (await response.json()) as any };
  }

  /** A learner who has just signed in, and whose access ends in so many minutes. */
  async function learnerWith(left: number) {
    const user = await gateway.identity.createPasswordUser();
    await addDays(gateway.deps.db, user, 30);
    await gateway.deps.db.query(
      `update account set service_expires_at = now() + make_interval(mins => $2) where uid = $1`,
      [user.uid, left],
    );
    return user;
  }

  /** Does at once what the schedule does within a minute. */
  async function findMissedEvents(): Promise<void> {
    await gateway.deps.db.query(
      `update schedule set next_at = clock_timestamp() where name = 'missed-stripe-events'
       and not exists (select from reconciliation where state <> 'done')`,
    );
  }

  test('access ends when it ends, and a new sign-in is let in', async () => {
    const wish = { topic: `Tid ${minutes}`, question_count: 5 };
    const [has, had] = [await learnerWith(4), await learnerWith(-4)];
    const account = await call(has.idToken, 'GET', '/account');
    expect(account.body).toMatchObject({ account: { is_active: true }, days_remaining: 1 });
    expect((await call(has.idToken, 'POST', '/quiz/start', wish)).status).toBe(200);
    expect(await call(had.idToken, 'POST', '/quiz/start', wish)).toMatchObject({
      status: 402,
      body: { code: 'service_expired' },
    });
  });

  test('a payment gives its days from the right time, without any call of the learner', async () => {
    const { db } = gateway.deps;
    const { idToken, uid } = await gateway.identity.createPasswordUser();
    const { body } = await call(idToken, 'POST', '/payment/create-intent', {});
    await payWithCard(gateway, body.payment_intent_id);
    const days = async () => {
      await findMissedEvents();
      const { rows } = await db.query<{ days: number }>(
        `select extract(epoch from service_expires_at - now())::float8 / 86400 as days
         from account where uid = $1 and service_expires_at is not null`,
        [uid],
      );
      return rows[0]?.days ?? 0;
    };
    await expect.poll(days, { interval: 500 }).toBeGreaterThan(0);
    // Ten minutes are 0.007 days.
    expect(await days()).toBeCloseTo(30, 2);
  });

  test('a payer whose bank takes a minute is mailed after that minute', async () => {
    const { db } = gateway.deps;
    const { idToken } = await gateway.identity.createPasswordUser();
    const { body } = await call(idToken, 'POST', '/payment/create-intent', {});
    await payWithCard(gateway, body.payment_intent_id, 'pm_card_processing');
    const batchOf = async () => {
      await findMissedEvents();
      const { rows } = await db.query<{ id: string; ahead: number }>(
        `select id, abs(extract(epoch from
           (events -> 0 -> 'payload' ->> 'since')::timestamptz - created_at))::float8 as ahead
         from event_batch where name = 'payment.processing'
           and events -> 0 -> 'payload' ->> 'payment_id' in
             (select id::text from payment where payment_intent_id = $1)`,
        [body.payment_intent_id],
      );
      return rows[0];
    };
    await expect.poll(batchOf, { interval: 500 }).toBeDefined();
    const { id, ahead } = (await batchOf())!;
    expect(ahead).toBeLessThan(60);
    // The minute is over.
    await db.query(
      `update event_batch set events = jsonb_set(events, '{0,payload,since}',
         to_jsonb(clock_timestamp() - interval '61 s')) where id = $1`,
      [id],
    );
    const begun = async () => {
      const { rowCount } = await db.query(
        `select from mail where event_id = $1 and kind = 'payment_processing'`,
        [id],
      );
      return rowCount;
    };
    // A job looks again after at most ten seconds.
    await expect.poll(begun, { interval: 500, timeout: 60_000 }).toBe(1);
  });
});
