import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addDays, createQuestions, setPrice } from '#support/factories.ts';
import { recordFigures } from '#support/figures.ts';
import { useTestGateway } from '#support/gateway.ts';
import { connectLive, type LiveConnection } from '#support/live.ts';
import { payWithCard } from '#support/pay.ts';
import { bySize } from '#support/settings.ts';
import { queueBackends } from '#support/shared.ts';
import { sendPaymentSucceeded } from '#support/webhook.ts';
import { useTestWorkers } from '#support/workers.ts';

const gateway = useTestGateway();
const workers = useTestWorkers();
const PAYMENTS = bySize({ quick: 5, large: 20, full: 50 });
let url: string;
const opened: LiveConnection[] = [];

beforeAll(async () => {
  url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  await setPrice(gateway.deps.db, 149_00);
  await createQuestions(gateway.deps.db, { topic: 'Historie', count: 20 });
});
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

async function open(token: string): Promise<LiveConnection> {
  const connection = await connectLive(url, token);
  opened.push(connection);
  expect(await connection.next()).toEqual({ event: 'ready', data: {} });
  return connection;
}

/**
 * Waits for a message. Skips the resync that the start of LISTEN may send, and what administrators hear of payments:
 * the schedule finds those of an earlier test in the middle of this one.
 */
async function messageOf(connection: LiveConnection): Promise<unknown> {
  const { event, data } = await connection.next();
  const isExpected = event === 'message' && (data as { topic: string }).topic !== 'payments';
  return isExpected ? data : messageOf(connection);
}

/** Pays for more days in another window, which never calls confirm. */
async function payElsewhere(token: string): Promise<string> {
  const { body } = await gateway.call('POST', '/payment/create-intent', { token });
  await payWithCard(gateway, body.payment_intent_id);
  await sendPaymentSucceeded(gateway, body.payment_intent_id);
  return body.payment_intent_id;
}

async function settledAt(paymentIntentId: string): Promise<number> {
  const { rows } = await gateway.deps.db.query<{ settled_at: Date }>(
    `select settled_at from payment where payment_intent_id = $1 and state = 'settled'`,
    [paymentIntentId],
  );
  return rows[0]!.settled_at.getTime();
}

describe.each(await queueBackends())('with queues on $name', ({ name, redisUrl }) => {
  test('a payment settled by the webhook reaches its payer at once', async () => {
    const { start } = await workers.on(gateway, redisUrl);
    start();
    const user = await gateway.identity.createPasswordUser();
    const connection = await open(user.idToken);
    const bystander = await open((await gateway.identity.createPasswordUser()).idToken);
    const delays: number[] = [];
    for (let n = 1; n <= PAYMENTS; n += 1) {
      const paymentIntentId = await payElsewhere(user.idToken);
      expect(await messageOf(connection)).toMatchObject({ topic: 'account' });
      // Measured from before the commit, so slightly longer than the real delay.
      delays.push(Date.now() - (await settledAt(paymentIntentId)));
      const { body } = await gateway.call('GET', '/account', { token: user.idToken });
      expect(body.days_remaining).toBe(30 * n);
    }
    delays.sort((a, b) => a - b);
    const [median = 0, p95 = 0] = [0.5, 0.95].map((part) => delays[Math.ceil(PAYMENTS * part) - 1]);
    recordFigures({ payments: PAYMENTS, 'median ms': median, 'p95 ms': p95 });
    process.stdout.write(`Payment to message (${name}): median ${median} ms, p95 ${p95} ms.\n`);
    bystander.close();
    expect((await bystander.ended).filter(({ event }) => event !== 'resync')).toEqual([]);
  });

  test('disabling a learner ends their streams', async () => {
    const { start } = await workers.on(gateway, redisUrl);
    start();
    const admin = await gateway.identity.signInWithGoogle({
      email: gateway.deps.config.ADMIN_EMAIL,
    });
    const user = await gateway.identity.createPasswordUser();
    const connection = await open(user.idToken);
    const path = `/admin/users/${user.uid}/disable`;
    expect((await gateway.call('POST', path, { token: admin.idToken })).status).toBe(200);
    expect((await connection.ended).filter(({ event }) => event !== 'resync')).toEqual([]);
  });

  test('a counted answer, a report and its closing reach administrators', async () => {
    const { start } = await workers.on(gateway, redisUrl);
    start();
    const admin = await gateway.identity.signInWithGoogle({
      email: gateway.deps.config.ADMIN_EMAIL,
    });
    const learner = await gateway.identity.createPasswordUser();
    await addDays(gateway.deps.db, learner, 30);
    const token = learner.idToken;
    const connection = await open(admin.idToken);
    const { body: quiz } = await gateway.call('POST', '/quiz/start', {
      token,
      body: { topic: 'Historie', question_count: 10 },
    });
    expect(await messageOf(connection)).toMatchObject({ topic: 'statistics' });
    const [question] = quiz.questions;
    await gateway.call('POST', `/quiz/${quiz.id}/answer`, {
      token,
      body: { question_id: question.uuid, answer: question.options[0] },
    });
    expect(await messageOf(connection)).toMatchObject({ topic: 'statistics' });
    const report = { token, body: { type: 'thumbs_down' } };
    await gateway.call('POST', `/questions/${question.uuid}/feedback`, report);
    expect(await messageOf(connection)).toMatchObject({ topic: 'feedback' });
    expect(await messageOf(connection)).toMatchObject({ topic: 'statistics' });
    const path = `/admin/feedback/questions/${question.uuid}`;
    for (const [action, body] of [['close', { state: 'fixed' }], ['reopen']] as const) {
      await gateway.call('POST', `${path}/${action}`, { token: admin.idToken, body });
      expect(await messageOf(connection)).toMatchObject({ topic: 'feedback' });
    }
  });
});
