import { beforeAll, describe, expect, test } from 'vitest';
import { closePayment } from '@proveklar/services/payments/close-payment.ts';
import { findPaymentByIntent } from '@proveklar/services/payments/payment.ts';
import { makeRefund } from '@proveklar/services/payments/refund.ts';
import { beginPacket } from '@proveklar/tests/support/codes.ts';
import { setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import type { SignedIn } from '@proveklar/tests/support/identity.ts';
import { payWithCard } from '@proveklar/tests/support/pay.ts';

const gateway = useTestGateway();
let boss: SignedIn;

beforeAll(async () => {
  await setPrice(gateway.deps.db, 149_00);
  boss = await gateway.identity.signInWithGoogle({ email: gateway.deps.config.ADMIN_EMAIL });
});

const get = async (path: string) =>
  (await gateway.call('GET', `/admin/payments${path}`, { token: boss.idToken })).body;
const post = (path: string, body?: object, key: string = crypto.randomUUID()) =>
  gateway.call('POST', `/admin${path}`, {
    token: boss.idToken,
    headers: { 'idempotency-key': key },
    ...(body && { body }),
  });
const idsIn = ({ payments }: { payments: { id: string }[] }) => payments.map(({ id }) => id);
const daysOf = async (token: string) =>
  (await gateway.call('GET', '/account', { token })).body.days_remaining as number;
const audited = async (subject: string) =>
  (await gateway.call('GET', `/admin/audit?subject=${subject}`, { token: boss.idToken })).body
    .entries;

/** A learner with a started payment. */
async function begun() {
  const learner = await gateway.identity.createPasswordUser();
  const { idToken: token } = learner;
  const { body } = await gateway.call('POST', '/payment/create-intent', { token });
  const intentId = body.payment_intent_id as string;
  const { id } = (await findPaymentByIntent(gateway.deps.db, intentId))!;
  return { ...learner, token, id, intentId };
}

async function paid(card?: 'pm_card_createDispute') {
  const payment = await begun();
  const { token, intentId } = payment;
  await payWithCard(gateway, intentId, card);
  const body = { payment_intent_id: intentId };
  await gateway.call('POST', '/payment/confirm', { token, body });
  return payment;
}

describe('the list of payments', () => {
  test('the list of payments shows one status each, and filters by it', async () => {
    const [open, settled, tried, closed, disputed] = [
      await begun(),
      await paid(),
      await begun(),
      await begun(),
      await paid('pm_card_createDispute'),
    ];
    await payWithCard(gateway, tried.intentId, 'pm_card_chargeDeclined').catch(() => {});
    await post(`/payments/${tried.id}/sync`);
    const { deps } = gateway;
    const row = await findPaymentByIntent(deps.db, closed.intentId);
    await closePayment(deps, row!, 'abandoned');
    await post(`/payments/${disputed.id}/sync`);
    const expected = { open, settled, declined: tried, abandoned: closed, disputed };
    for (const [status, { id }] of Object.entries(expected)) {
      const list = await get(`?status=${status}`);
      expect(idsIn(list), status).toContain(id);
      expect(new Set(list.payments.map((one: { status: string }) => one.status))).toEqual(
        new Set([status]),
      );
    }
    const { payments } = await get(`?search=${tried.email}`);
    expect(payments).toMatchObject([{ status: 'declined', declines: 1, amount: 14900, days: 30 }]);
    expect(idsIn(await get('?attention=true'))).toEqual([disputed.id]);
    const { counts, attention } = await get('/summary');
    expect(counts).toMatchObject({ open: 1, declined: 1, abandoned: 1, disputed: 1, settled: 1 });
    expect(attention).toBe(1);
    expect(await get(`/${disputed.id}`)).toMatchObject({
      refundable: 0,
      credit: { days: 30, taken_back: 30 },
      disputes: [{ amount: 14900, evidence_due_at: expect.any(String) }],
    });
  });

  test('payments are found by address, part of an address, PaymentIntent and receipt', async () => {
    const payment = await paid();
    const { receipt_number, events: _events, stripe_url } = await get(`/${payment.id}`);
    expect(stripe_url).toBe(`https://dashboard.stripe.com/test/payments/${payment.intentId}`);
    const wanted = [
      payment.email,
      ` ${payment.email.slice(3, 17).toUpperCase()}`,
      payment.intentId,
      payment.id,
      receipt_number,
    ];
    for (const search of wanted) {
      expect(idsIn(await get(`?search=${encodeURIComponent(search)}`)), search).toEqual([
        payment.id,
      ]);
    }
    for (const search of ['pi_nothing', '999999999', '%', '_', '"', `${payment.email}x`]) {
      expect(idsIn(await get(`?search=${encodeURIComponent(search)}`)), search).toEqual([]);
    }
    const before = await get(`?before=${payment.id}`);
    expect(idsIn(before)).not.toContain(payment.id);
  });

  test('the list of payments finds packets of codes, also by the organisation or its number', async () => {
    const [packet, other] = [await beginPacket(gateway), await begun()];
    const found = await get('?purpose=packet');
    expect(found.payments).toMatchObject([
      { id: packet.id, purpose: 'packet', organisation: 'Voksenopplæringen' },
    ]);
    expect(idsIn(await get('?purpose=extension'))).toContain(other.id);
    expect(idsIn(await get('?purpose=extension'))).not.toContain(packet.id);
    for (const search of ['OPPLÆRING', '923609016', '923 609 016', packet.email]) {
      const path = `?search=${encodeURIComponent(search)}`;
      expect(idsIn(await get(path)), search).toEqual([packet.id]);
      expect(idsIn(await get(`${path}&purpose=registration`)), search).toEqual([]);
    }
  });

  test('the list of payments does not name deleted users', async () => {
    const payment = await paid();
    const { uid, email, id } = payment;
    await gateway.call('DELETE', `/admin/users/${uid}`, { token: boss.idToken });
    expect(await get(`/${id}`)).toMatchObject({ email: null, username: null, uid: null });
    expect(idsIn(await get(`?search=${email}`))).toEqual([]);
    expect(idsIn(await get('?search=deleted'))).toEqual([]);
  });

  test('the list of payments refuses invalid filters', async () => {
    for (const query of ['?status=x', '?attention=false', '?before=x', '?search=%00', '?x=1']) {
      const path = `/admin/payments${query}`;
      expect((await gateway.call('GET', path, { token: boss.idToken })).status, query).toBe(400);
    }
  });
});

describe('a refund', () => {
  test('a refund is made once however often it is clicked, and takes back its share of the days', async () => {
    const { id, token } = await paid();
    const key = crypto.randomUUID();
    const order = { amount: 4000, reason_note: 'Nede i en uke' };
    const clicks = Array.from({ length: 5 }, () => post(`/payments/${id}/refund`, order, key));
    for (const { status, body } of await Promise.all(clicks)) {
      expect([status, body.id, body.amount]).toEqual([202, key, 4000]);
    }
    expect(await get(`/${id}`)).toMatchObject({ refundable: 10900, refunded: 0 });
    await makeRefund(gateway.deps, key);
    expect(await get(`/${id}`)).toMatchObject({
      status: 'partly_refunded',
      refunded: 4000,
      refundable: 10900,
      // 30 × 40 / 149 = 8.05
      credit: { days: 30, taken_back: 8 },
      refunds: [{ id: key, state: 'succeeded', requested_by: boss.email }],
    });
    expect(await daysOf(token)).toBe(22);
    expect(await audited(id)).toMatchObject([
      { action: 'payment.refund_requested', details: { amount: 40, note: order.reason_note } },
    ]);
    const other = await post(`/payments/${id}/refund`, { amount: 4001 }, key);
    expect(other).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  test('a refund never exceeds what is left', async () => {
    const { id, token } = await paid();
    const tooLarge = await post(`/payments/${id}/refund`, { amount: 14901 });
    expect(tooLarge).toMatchObject({
      status: 409,
      body: { code: 'refund_too_large', details: { left_ore: 14900 } },
    });
    const all = await Promise.all(
      Array.from({ length: 4 }, () => post(`/payments/${id}/refund`, {})),
    );
    const made = all.filter(({ status }) => status === 202);
    expect(made).toHaveLength(1);
    await makeRefund(gateway.deps, made[0]!.body.id);
    expect(await get(`/${id}`)).toMatchObject({ status: 'refunded', refundable: 0 });
    expect(await daysOf(token)).toBe(0);
    const again = await post(`/payments/${id}/refund`, {});
    expect(again).toMatchObject({ status: 409, body: { code: 'payment_not_refundable' } });
  });

  test('a refund needs an idempotency key, a valid amount and a paid payment', async () => {
    const { id } = await begun();
    const { status, body } = await post(`/payments/${id}/refund`, {});
    expect([status, body.code]).toEqual([409, 'payment_not_refundable']);
    for (const amount of [0, -1, 1.5, '100', 1e12]) {
      expect((await post(`/payments/${id}/refund`, { amount })).status, String(amount)).toBe(400);
    }
    const call = { token: boss.idToken, body: {} };
    expect(await gateway.call('POST', `/admin/payments/${id}/refund`, call)).toMatchObject({
      status: 400,
      body: { details: { field: 'idempotency-key' } },
    });
  });
});

describe('a reconciliation with Stripe', () => {
  test('a reconciliation is started, read, and refused for dates out of range', async () => {
    const since = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    const { status, body } = await post('/payments/reconciliations', { since });
    expect([status, body.state, body.requested_by]).toEqual([202, 'waiting', boss.email]);
    expect(await get(`/reconciliations/${body.id}`)).toEqual(body);
    expect(await get('/summary')).toMatchObject({ reconciliation: null, running: body });
    expect(await audited(body.id)).toMatchObject([
      { action: 'payment.reconciliation_requested', details: { since } },
    ]);
    for (const wrong of ['2020-01-01', '2999-01-01', '2026-02-31', 'x']) {
      const answer = await post('/payments/reconciliations', { since: wrong });
      expect(answer, wrong).toMatchObject({ status: 400, body: { details: { field: 'since' } } });
    }
  });

  test('the summary shows the last reconciliation, and a running one only if a person started it', async () => {
    const { db } = gateway.deps;
    await db.query(`delete from reconciliation`);
    const insert = (columns: string, values: string) =>
      db.query<{ id: string }>(
        `insert into reconciliation (${columns}) values (${values}) returning id`,
      );
    const done = await insert('state, done_at', `'done', clock_timestamp()`);
    await insert('state', `'running'`);
    const ordered = 'state, requested_by, created_at';
    await insert(ordered, `'running', 'operator', now() - interval '2 days'`);
    const { id } = done.rows[0]!;
    expect(await get('/summary')).toMatchObject({ reconciliation: { id }, running: null });
    const { body } = await post('/payments/reconciliations', {});
    expect(await get('/summary')).toMatchObject({
      reconciliation: { id },
      running: { id: body.id, state: 'waiting' },
    });
  });

  test('synchronizing one payment settles a paid one', async () => {
    const { id, intentId, token } = await begun();
    await payWithCard(gateway, intentId);
    expect((await get(`/${id}`)).status).toBe('open');
    const { status, body } = await post(`/payments/${id}/sync`);
    expect([status, body.status, body.credit.days]).toEqual([200, 'settled', 30]);
    expect(await daysOf(token)).toBe(30);
  });
});
