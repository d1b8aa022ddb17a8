import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { makeRefund } from '@proveklar/services/payments/refund.ts';
import { deleteUser } from '@proveklar/services/privacy/delete-user.ts';
import { addDays, createAdministrator, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { buyAccess, payWithCard, stripeControl } from '@proveklar/tests/support/pay.ts';

const gateway = useTestGateway();
beforeAll(() => setPrice(gateway.deps.db, 149_00));
// All tests pay with one card, so forget withdrawals: they would delay the days of later tests.
beforeEach(() => gateway.deps.db.query('truncate withdrawal_mark'));

const CONSENT = { consent_version: 'no-2026-11' };

async function buyer(consent: object = CONSENT) {
  const user = await gateway.identity.createPasswordUser();
  const { idToken: token } = user;
  const id = await buyAccess(gateway, token, consent);
  const read = async () => (await gateway.call('GET', `/account/payments/${id}`, { token })).body;
  const withdraw = (refund_amount: number) =>
    gateway.call('POST', `/account/payments/${id}/withdraw`, { token, body: { refund_amount } });
  return { ...user, token, id, read, withdraw };
}

/** Moves the purchase into the past by this number of days. */
async function passDays(paymentId: string, days: number): Promise<void> {
  const { db } = gateway.deps;
  const passed = `- $2 * interval '1 day' where`;
  await db.query(`update payment set settled_at = settled_at ${passed} id = $1`, [paymentId, days]);
  await db.query(`update credit set credited_at = credited_at ${passed} payment_id = $1`, [
    paymentId,
    days,
  ]);
}

const refundsOf = async (paymentId: string) => {
  const { rows } = await gateway.deps.db.query('select * from refund where payment_id = $1', [
    paymentId,
  ]);
  return rows;
};

/** The number of statements that wait for a lock. */
const waiting = async () => {
  const { rows } = await gateway.deps.db.query(
    `select count(*)::int as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].waiting as number;
};

const eventsOf = async (refundId: string) => {
  const { rows } = await gateway.deps.db.query(
    `select name from outbox where payload ->> 'refund_id' = $1`,
    [refundId],
  );
  return rows.map(({ name }) => String(name)).toSorted();
};

test('learners see their own payments only, newest first', async () => {
  const { token, id } = await buyer();
  const second = await buyAccess(gateway, token, CONSENT);
  const other = await buyer();
  const { body } = await gateway.call('GET', '/account/payments', { token });
  const listed = (body as { payments: { id: string; receipt_number: number }[] }).payments;
  expect(listed.map((payment) => payment.id)).toEqual([second, id]);
  expect(listed[0]!.receipt_number).toBe(listed[1]!.receipt_number + 1);

  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/withdraw'],
  ] as const) {
    const answer = await gateway.call(method, `/account/payments/${other.id}${path}`, {
      token,
      ...(method === 'POST' && { body: { refund_amount: 149_00 } }),
    });
    expect([answer.status, answer.body.code]).toEqual([404, 'payment_not_found']);
  }
  expect(await refundsOf(other.id)).toEqual([]);
});

test('a payment that the bank is processing is listed as under_way for its payer until it is settled', async () => {
  const { idToken: token } = await gateway.identity.createPasswordUser();
  const { idToken: other } = await gateway.identity.createPasswordUser();
  const intent = await gateway.call('POST', '/payment/create-intent', { token, body: CONSENT });
  const { payment_intent_id } = intent.body as { payment_intent_id: string };
  const confirm = () =>
    gateway.call('POST', '/payment/confirm', { token, body: { payment_intent_id } });
  const list = async (who = token) =>
    (await gateway.call('GET', '/account/payments', { token: who })).body;
  expect(await list()).toEqual({ payments: [], under_way: null });

  await payWithCard(gateway, payment_intent_id, 'pm_card_processing');
  await confirm();
  const under_way = { payment_intent_id, status: 'processing' };
  expect(await list()).toEqual({ payments: [], under_way });
  expect(await list(other)).toEqual({ payments: [], under_way: null });

  await stripeControl(gateway).settle(payment_intent_id, 'succeed');
  await confirm();
  expect(await list()).toMatchObject({ payments: [{ dispute: null }], under_way: null });
});

describe('a withdrawal', () => {
  test('a withdrawal refunds in proportion, ends its access at once, and keeps other days', async () => {
    const { read, withdraw, id, uid, email } = await buyer();
    await passDays(id, 10);
    await addDays(gateway.deps.db, { uid, email }, 5);
    expect(await read()).toMatchObject({ withdrawal: { refund_amount: 99_34 } });

    const answer = await withdraw(99_34);
    expect(answer).toMatchObject({ status: 200, body: { amount: 99_34, state: 'requested' } });
    const refundId = answer.body.id as string;
    expect(await eventsOf(refundId)).toEqual(['payment.withdrawn', 'refund.requested']);
    expect(await read()).toMatchObject({ state: 'paid', withdrawal: null });

    await makeRefund(gateway.deps, refundId);
    const receipt = await read();
    expect(receipt).toMatchObject({
      state: 'partly_refunded',
      refunded: 99_34,
      refunds: [{ amount: 99_34, state: 'succeeded', reason: 'withdrawal' }],
    });
    expect(Date.parse(receipt.current_period.ends_at)).toBeLessThanOrEqual(Date.now());
    const { rows } = await gateway.deps.db.query(
      `select round(extract(epoch from service_expires_at - now()) / 86400)::int as days
       from account where uid = $1`,
      [uid],
    );
    expect(rows).toEqual([{ days: 5 }]);
  });

  test('a withdrawal refunds the whole amount if the service was not to start at once', async () => {
    const { read, withdraw, id } = await buyer({});
    await passDays(id, 10);
    expect(await read()).toMatchObject({ withdrawal: { refund_amount: 149_00 } });
    expect(await withdraw(149_00)).toMatchObject({ status: 200, body: { amount: 149_00 } });
  });

  test('concurrent and repeated withdrawals make one refund', async () => {
    const { withdraw, id } = await buyer();
    const answers = await withTransaction(gateway.deps.db, async (tx) => {
      await tx.query('select from payment where id = $1 for update', [id]);
      const requests = [withdraw(149_00), withdraw(149_00)];
      // Both requests are in flight before either continues.
      await expect.poll(waiting).toBe(2);
      return requests;
    }).then((requests) => Promise.all(requests));
    expect(new Set([...answers, await withdraw(149_00)].map(({ body }) => body.id)).size).toBe(1);
    const [refund, ...more] = await refundsOf(id);
    expect(more).toEqual([]);
    expect(await eventsOf(refund.id)).toEqual(['payment.withdrawn', 'refund.requested']);
  });

  test('a withdrawal with an outdated amount is refused with the current amount', async () => {
    const { withdraw, id } = await buyer();
    await passDays(id, 1);
    expect(await withdraw(149_00)).toMatchObject({
      status: 409,
      body: { code: 'withdrawal_changed', details: { refund_amount: 144_04 } },
    });
    expect(await refundsOf(id)).toEqual([]);
  });

  test('a withdrawal is refused after the last day, and cannot be made twice', async () => {
    const { read, withdraw, id } = await buyer();
    await passDays(id, 26);
    expect(await read()).toMatchObject({ withdrawal: null });
    expect(await withdraw(19_87)).toMatchObject({ status: 409, body: { code: 'withdrawal_over' } });
    await gateway.deps.db.query(`update payment set dispute = 'open' where id = $1`, [id]);
    await passDays(id, -26);
    const refused = { status: 409, body: { code: 'payment_not_refundable' } };
    expect(await withdraw(149_00)).toMatchObject(refused);
    expect(await read()).toMatchObject({ state: 'disputed', dispute: 'open' });
  });
});

test('a receipt stays, without a name, when its account is deleted', async () => {
  const { id, uid, withdraw } = await buyer();
  await withdraw(149_00);
  await deleteUser(gateway.deps, uid, await createAdministrator(gateway.deps.db));
  const { rows } = await gateway.deps.db.query(
    `select payment.email, payment.username, receipt.amount_ore, refund.requested_by
     from payment join receipt on receipt.payment_id = payment.id
     join refund on refund.payment_id = payment.id where payment.id = $1`,
    [id],
  );
  expect(rows).toEqual([{ email: null, username: null, amount_ore: 149_00, requested_by: null }]);
});

test('an account that has withdrawn before must consent to an immediate start, others need not', async () => {
  const { token, withdraw } = await buyer({});
  const begin = (body: object, of = token) =>
    gateway.call('POST', '/payment/create-intent', { token: of, body });
  expect((await begin({})).status).toBe(200);
  expect((await withdraw(149_00)).status).toBe(200);
  expect(await begin({})).toMatchObject({
    status: 400,
    body: { code: 'consent_required', details: { field: 'consent_version' } },
  });
  expect((await begin(CONSENT)).status).toBe(200);
  const { token: other } = await buyer({});
  expect((await begin({}, other)).status).toBe(200);
});
