// Over 400 lines: a packet from its purchase over its codes to its refund, against one gateway.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { syncPayment } from '@proveklar/services/payments/books/sync-payment.ts';
import { recordPacketMailed } from '@proveklar/services/payments/codes/buyer.ts';
import { hashOfCode } from '@proveklar/services/payments/codes/code.ts';
import { forgetCodes } from '@proveklar/services/payments/codes/packet-codes.ts';
import { registerWithCode } from '@proveklar/services/payments/codes/redeem-code.ts';
import { makeRefund, requestRefund } from '@proveklar/services/payments/refund.ts';
import { beginPacket, type BoughtPacket, buyPacket } from '@proveklar/tests/support/codes.ts';
import { setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { choosePasswordByMail } from '@proveklar/tests/support/password-mails.ts';
import { countUsers, payWithCard, stripeControl } from '@proveklar/tests/support/pay.ts';

const gateway = useTestGateway();
const PASSWORD = 'et godt passord';
beforeAll(() => setPrice(gateway.deps.db, 149_00));
afterEach(() => stripeControl(gateway).removeFaults());

const read = async ({ key }: Pick<BoughtPacket, 'key'>) =>
  (await gateway.call('POST', '/packets/read', { body: { key } })).body;

const refund = ({ key }: BoughtPacket, refund_amount: number) =>
  gateway.call('POST', '/packets/refund', { body: { key, refund_amount } });

const redeem = (token: string, code: string) =>
  gateway.call('POST', '/account/redeem-code', { token, body: { code } });

async function learner() {
  const { email, idToken: token } = await gateway.identity.createPasswordUser();
  return { email, token };
}

const register = (code: string, email = uniqueEmail(), body = {}) =>
  gateway.call('POST', '/payment/confirm-registration', {
    body: { code, email, username: 'Ny', password: PASSWORD, ...body },
  });

/** The ledger's credits from the codes of a packet. */
async function creditsOf({ id }: BoughtPacket) {
  const { rows } = await gateway.deps.db.query<{ days: number; account_id: string }>(
    `select credit.days, account_id from credit join access_code on access_code.id = code_id
     where access_code.payment_id = $1`,
    [id],
  );
  return rows;
}

async function chargeOf(intentId: string): Promise<string> {
  const { data } = await gateway.deps.stripe.charges.list({ payment_intent: intentId });
  return data[0]!.id;
}

describe('a packet', () => {
  test('costs its number of codes, and has them once it is paid', async () => {
    const packet = await beginPacket(gateway, { codes: 7 });
    expect(await read(packet)).toMatchObject({
      status: 'unpaid',
      kept_codes: null,
      amount: 1043_00,
    });
    await payWithCard(gateway, packet.intentId);
    const paid = await read(packet);
    expect(paid).toMatchObject({
      status: 'settled',
      codes: 7,
      used: 0,
      unused: 7,
      withdrawn: 0,
      organisation: 'Voksenopplæringen',
      organisation_number: '923609016',
      refundable: { refund_amount: 104300 },
      receipt: { number: expect.any(Number) },
    });
    expect(new Set(paid.kept_codes).size).toBe(7);
    const months = new Date(paid.expires_at).getTime() - new Date(paid.paid_at).getTime();
    expect(Math.round(months / 86_400_000)).toBeGreaterThanOrEqual(365);
  });

  test('stores neither codes nor anything that leads to them when its buyer has kept them', async () => {
    const packet = await buyPacket(gateway);
    const { key } = packet;
    await recordPacketMailed(gateway.deps.db, packet.id);
    expect(await gateway.call('POST', '/packets/keep', { body: { key } })).toMatchObject({
      status: 200,
    });
    expect(await read(packet)).toMatchObject({ kept_codes: null, unused: 5 });
    const { rows } = await gateway.deps.db.query(
      `select sealed_codes, (select array_agg(encode(hash, 'hex') order by hash) from access_code
         where access_code.payment_id = code_packet.payment_id) as hashes
       from code_packet where payment_id = $1`,
      [packet.id],
    );
    const hashes = packet.codes.map((code) => hashOfCode(code)!.toString('hex')).toSorted();
    expect(rows).toEqual([{ sealed_codes: null, hashes }]);
  });

  test('forgets codes that its buyer never fetched after 14 days, and they can still be redeemed', async () => {
    const { id, key, codes } = await buyPacket(gateway);
    const forget = () => withTransaction(gateway.deps.db, forgetCodes);
    await forget();
    expect((await read({ key })).kept_codes).toHaveLength(5);
    await gateway.deps.db.query(
      `update payment set settled_at = settled_at - interval '15 days' where id = $1`,
      [id],
    );
    await forget();
    expect((await read({ key })).kept_codes).toBeNull();
    expect(await redeem((await learner()).token, codes[0]!)).toMatchObject({ status: 200 });
  });

  test.each([
    ['organisation_number', { organisation_number: '923609017' }],
    ['organisation', { organisation: ' ' }],
    ['codes', { codes: 4 }],
    ['codes', { codes: 101 }],
    ['email', { email: 'x' }],
  ])('is refused with a wrong %s: %o', async (field, wrong) => {
    const body = { email: uniqueEmail(), organisation: 'Skole', codes: 5, ...wrong };
    const answer = await gateway.call('POST', '/packets/create-intent', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(JSON.stringify(answer.body.details)).toContain(field);
  });

  test('is one packet for one click, however often it is sent', async () => {
    const body = { email: uniqueEmail(), organisation: 'Skole', codes: 5 };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const click = () => gateway.call('POST', '/packets/create-intent', { body, headers });
    const answers = await Promise.all(Array.from({ length: 20 }, click));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const other = await gateway.call('POST', '/packets/create-intent', {
      body: { ...body, codes: 6 },
      headers,
    });
    expect(other.body.payment_intent_id).not.toBe(answers[0]!.body.payment_intent_id);
  });

  test('has its codes once when fifty reads and webhooks settle it at once', async () => {
    const packet = await beginPacket(gateway);
    await payWithCard(gateway, packet.intentId);
    const sync = () => syncPayment(gateway.deps, packet.intentId);
    await Promise.all(Array.from({ length: 25 }, () => [read(packet), sync()]).flat());
    const { rows } = await gateway.deps.db.query(
      `select (select count(*)::int from access_code where payment_id = $1) as codes,
         (select count(*)::int from receipt where payment_id = $1) as receipts,
         (select count(*)::int from outbox where name = 'packet.settled'
          and payload ->> 'payment_id' = $1::text) as mails`,
      [packet.id],
    );
    expect(rows).toEqual([{ codes: 5, receipts: 1, mails: 1 }]);
  });

  test('is shown to no caller without its key', async () => {
    const { id, key } = await buyPacket(gateway);
    const wrong = `${id}.${'x'.repeat(43)}`;
    for (const path of ['/packets/read', '/packets/keep']) {
      expect(await gateway.call('POST', path, { body: { key: wrong } })).toMatchObject({
        status: 404,
        body: { code: 'packet_not_found' },
      });
    }
    expect((await read({ key })).kept_codes).toHaveLength(5);
  });
});

describe('a code', () => {
  test('that fifty learners redeem at once gives one account its days', async () => {
    const packet = await buyPacket(gateway);
    const learners = await Promise.all(Array.from({ length: 50 }, learner));
    const answers = await Promise.all(learners.map(({ token }) => redeem(token, packet.codes[0]!)));
    const statuses = Map.groupBy(answers, ({ status }) => status);
    expect([statuses.get(200)?.length, statuses.get(409)?.length]).toEqual([1, 49]);
    expect(statuses.get(409)!.every(({ body }) => body.code === 'code_used')).toBe(true);
    expect(statuses.get(200)![0]!.body).toMatchObject({ days_remaining: 30 });
    expect(await creditsOf(packet)).toHaveLength(1);
    expect(await read(packet)).toMatchObject({ used: 1, unused: 4 });
  });

  test('with which fifty people register at once gives one account', async () => {
    const packet = await buyPacket(gateway);
    const emails = Array.from({ length: 50 }, () => uniqueEmail());
    const answers = await Promise.all(emails.map((email) => register(packet.codes[0]!, email)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.every(({ status, body }) => status === 409 && body.code === 'code_used')).toBe(
      true,
    );
    const users = await Promise.all(emails.map((email) => gateway.identity.findUser(email)));
    expect(users.filter(Boolean)).toHaveLength(1);
    expect(await creditsOf(packet)).toHaveLength(1);
  });

  test('with which one person registers fifty times at once gives one credit', async () => {
    const packet = await buyPacket(gateway);
    const email = uniqueEmail();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => register(packet.codes[0]!, email)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(answers.every(({ body }) => body.days_remaining === 30)).toBe(true);
    expect(await countUsers(gateway, email)).toBe(1);
    await gateway.identity.signInWithPassword(email, PASSWORD);
    expect(await creditsOf(packet)).toHaveLength(1);
  });

  test('is accepted as it is typed, and a second time by the same learner', async () => {
    const { codes } = await buyPacket(gateway);
    const { token } = await learner();
    const typed = ` ${codes[0]!.replaceAll('-', ' ').toLowerCase()} `;
    expect(await redeem(token, typed)).toMatchObject({ status: 200, body: { days_remaining: 30 } });
    expect(await redeem(token, codes[0]!)).toMatchObject({ body: { days_remaining: 30 } });
    expect(await redeem(token, codes[1]!)).toMatchObject({ body: { days_remaining: 60 } });
  });

  test('extends the account that has the address, and keeps its password', async () => {
    const { codes } = await buyPacket(gateway);
    const { email, uid } = await gateway.identity.createPasswordUser(uniqueEmail(), 'of the owner');
    await gateway.identity.verifyEmail(uid);
    const answer = await register(codes[0]!, email);
    expect(answer).toMatchObject({
      status: 200,
      body: { account_existed: true, password_mailed: false, days_remaining: 30 },
    });
    await gateway.identity.signInWithPassword(email, 'of the owner');
    await expect(gateway.identity.signInWithPassword(email, PASSWORD)).rejects.toThrow('INVALID');
  });

  test('takes an address from a stranger who never proved it', async () => {
    const { codes } = await buyPacket(gateway);
    const stranger = await gateway.identity.createPasswordUser(uniqueEmail(), 'of the stranger');
    await gateway.call('GET', '/account', { token: stranger.idToken });
    const answer = await register(codes[0]!, stranger.email);
    expect(answer).toMatchObject({
      status: 200,
      body: { account_existed: true, password_mailed: true, days_remaining: 30 },
    });
    expect(await gateway.call('GET', '/account', { token: stranger.idToken })).toMatchObject({
      status: 401,
    });
    const { email } = stranger;
    await expect(gateway.identity.signInWithPassword(email, 'of the stranger')).rejects.toThrow(
      'INVALID',
    );
    await choosePasswordByMail(gateway, email, 'of the owner');
    await gateway.identity.signInWithPassword(email, 'of the owner');
    expect(await countUsers(gateway, email)).toBe(1);
  });

  test('is free again at once when the sign-in service refuses the address', async () => {
    const { codes } = await buyPacket(gateway);
    const registration = { username: 'Ny', password: PASSWORD };
    const createUser = () => Promise.reject(new AppError('email_refused'));
    const refusing = { ...gateway.deps, identity: { ...gateway.deps.identity, createUser } };
    await expect(
      registerWithCode(refusing, codes[0]!, { ...registration, email: uniqueEmail() }),
    ).rejects.toMatchObject({ code: 'email_refused' });
    expect(await register(codes[0]!)).toMatchObject({ status: 200, body: { days_remaining: 30 } });
  });

  test('of an unknown or unpaid packet is unknown, and creates no user', async () => {
    const packet = await beginPacket(gateway);
    const email = uniqueEmail();
    for (const code of ['0000-0000-0000-0000', 'x', packet.id]) {
      expect(await register(code, email)).toMatchObject({
        status: 404,
        body: { code: 'code_unknown' },
      });
    }
    expect(await gateway.identity.findUser(email)).toBeUndefined();
  });

  test('tells the buyer later only that it is used, not whose account has it', async () => {
    const packet = await buyPacket(gateway);
    const email = uniqueEmail();
    expect(await register(packet.codes[0]!, email)).toMatchObject({ status: 200 });
    await gateway.deps.db.query(
      `update access_code set redeemed_at = redeemed_at - interval '2 hours' where payment_id = $1
         and redeemed_at is not null`,
      [packet.id],
    );
    const [own, other] = [
      await register(packet.codes[0]!, email),
      await register(packet.codes[0]!),
    ];
    expect(own).toEqual(other);
    expect(own).toMatchObject({ status: 409, body: { code: 'code_used' } });
  });

  test('is not tried more often than payments are started', async () => {
    const { db, limits } = gateway.deps;
    const { token } = await learner();
    const before = limits.perEmail;
    limits.perEmail = 2;
    try {
      const tries = [];
      for (let n = 0; n < 3; n += 1) tries.push((await redeem(token, 'x')).status);
      expect(tries).toEqual([404, 404, 429]);
      const email = uniqueEmail();
      const registering = [];
      for (let n = 0; n < 3; n += 1) registering.push((await register('x', email)).status);
      expect(registering).toEqual([404, 404, 429]);
    } finally {
      limits.perEmail = before;
    }
    const { rowCount } = await db.query(`select from limited_call where call = 'code'`);
    expect(rowCount).toBeGreaterThan(0);
  });

  test('lets a class register from one network, where wrong codes are limited', async () => {
    const { codes } = await buyPacket(gateway);
    const { limits } = gateway.deps;
    const before = limits.perAddress;
    limits.perAddress = 2;
    try {
      for (const code of codes) expect(await register(code)).toMatchObject({ status: 200 });
      const wrong = [];
      for (let n = 0; n < 3; n += 1) wrong.push((await register('x')).status);
      expect(wrong.at(-1)).toBe(429);
    } finally {
      limits.perAddress = before;
    }
  });

  test('and a payment together are refused', async () => {
    const { codes } = await buyPacket(gateway);
    const answer = await register(codes[0]!, uniqueEmail(), { payment_intent_id: 'pi_x' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});

describe('the refund of a packet', () => {
  test('withdraws the unused codes at once and pays them back', async () => {
    const packet = await buyPacket(gateway);
    const { token } = await learner();
    await redeem(token, packet.codes[0]!);
    expect(await refund(packet, 5 * 149_00)).toMatchObject({
      status: 409,
      body: { code: 'withdrawal_changed', details: { refund_amount: 4 * 149_00 } },
    });
    const [first, second] = [await refund(packet, 4 * 149_00), await refund(packet, 4 * 149_00)];
    expect(first).toMatchObject({ status: 200, body: { amount: 4 * 149_00, state: 'requested' } });
    expect(second.body.id).toBe(first.body.id);
    const other = await learner();
    expect(await redeem(other.token, packet.codes[1]!)).toMatchObject({
      body: { code: 'code_withdrawn' },
    });
    await makeRefund(gateway.deps, first.body.id);
    expect(await read(packet)).toMatchObject({
      used: 1,
      unused: 0,
      withdrawn: 4,
      refunded: 4 * 14900,
      refundable: null,
    });
    const account = await gateway.call('GET', '/account', { token });
    expect(account.body.days_remaining).toBe(30);
  });

  test('and fifty redeemings at once: each code is paid back or used, none both', async () => {
    const packet = await buyPacket(gateway, { codes: 20 });
    const learners = await Promise.all(Array.from({ length: 20 }, learner));
    const refundAll = async (): Promise<number> => {
      for (let amount = 20 * 149_00; ;) {
        const { status, body } = await refund(packet, amount);
        if (status === 200) return body.amount as number;
        if (body.code !== 'withdrawal_changed') return 0;
        amount = body.details.refund_amount;
      }
    };
    const redeeming = learners.map(({ token }, index) => redeem(token, packet.codes[index]!));
    const [paidBack] = await Promise.all([refundAll(), ...redeeming]);
    const { used, withdrawn, unused } = await read(packet);
    expect(used + withdrawn + unused).toBe(20);
    expect(paidBack).toBe(withdrawn * 149_00);
    expect(await creditsOf(packet)).toHaveLength(used);
  });

  test('that Stripe refuses gives the codes back', async () => {
    const packet = await buyPacket(gateway);
    const { body } = await refund(packet, 5 * 149_00);
    const { token } = await learner();
    expect(await redeem(token, packet.codes[0]!)).toMatchObject({ status: 409 });
    await stripeControl(gateway).addFault({
      kind: 'error',
      call: 'POST /v1/refunds',
      when: 'before',
      status: 400,
    });
    expect(await makeRefund(gateway.deps, body.id)).toMatchObject({ state: 'failed' });
    expect(await read(packet)).toMatchObject({ unused: 5, withdrawn: 0 });
    expect(await redeem(token, packet.codes[0]!)).toMatchObject({ status: 200 });
  });

  test('by an administrator withdraws as many codes as it pays back, rounded down', async () => {
    const packet = await buyPacket(gateway);
    const order = (amountOre: number | null) =>
      withTransaction(gateway.deps.db, (tx) =>
        requestRefund(tx, {
          paymentId: packet.id,
          amountOre,
          reason: 'administrator',
          requestedBy: 'admin@example.no',
        }),
      );
    await makeRefund(gateway.deps, (await order(2 * 149_00 + 1)).id);
    expect(await read(packet)).toMatchObject({ unused: 3, withdrawn: 2 });
    await makeRefund(gateway.deps, (await order(null)).id);
    expect(await read(packet)).toMatchObject({ unused: 0, withdrawn: 5 });
  });

  test('is over after 14 days', async () => {
    const packet = await buyPacket(gateway);
    await gateway.deps.db.query(
      `update payment set settled_at = settled_at - interval '30 days' where id = $1`,
      [packet.id],
    );
    expect(await read(packet)).toMatchObject({ refundable: null });
    expect(await refund(packet, 5 * 149_00)).toMatchObject({ body: { code: 'withdrawal_over' } });
  });

  test('does not count as a withdrawal of the card for a later purchase', async () => {
    const packet = await buyPacket(gateway);
    const { body } = await refund(packet, 5 * 149_00);
    await makeRefund(gateway.deps, body.id);
    const { rowCount } = await gateway.deps.db.query('select from withdrawal_mark');
    expect(rowCount).toBe(0);
  });
});

test('a dispute withdraws the unused codes, and winning it gives them back', async () => {
  const { deps } = gateway;
  const packet = await buyPacket(gateway);
  const { token } = await learner();
  await redeem(token, packet.codes[0]!);
  const { id } = await stripeControl(gateway).dispute(await chargeOf(packet.intentId));
  await syncPayment(deps, packet.intentId);
  expect(await read(packet)).toMatchObject({ used: 1, unused: 0, withdrawn: 4, disputed: true });
  expect((await gateway.call('GET', '/account', { token })).body.days_remaining).toBe(30);
  await deps.stripe.disputes.update(id, {
    evidence: { uncategorized_text: 'winning_evidence' },
    submit: true,
  });
  await syncPayment(deps, packet.intentId);
  expect(await read(packet)).toMatchObject({ used: 1, unused: 4, withdrawn: 0, disputed: false });
});

test('a code that is too old is refused', async () => {
  const packet = await buyPacket(gateway);
  await gateway.deps.db.query(
    'update code_packet set expires_at = clock_timestamp() where payment_id = $1',
    [packet.id],
  );
  const { token } = await learner();
  expect(await redeem(token, packet.codes[0]!)).toMatchObject({
    status: 409,
    body: { code: 'code_expired' },
  });
});

test('the export of a verified address has its packets, and of an account its code', async () => {
  const { email, uid, password } = await gateway.identity.createPasswordUser();
  await gateway.identity.verifyEmail(uid);
  const packet = await buyPacket(gateway, { email });
  const { idToken: token } = await gateway.identity.signInWithPassword(email, password);
  await redeem(token, packet.codes[0]!);
  const { body } = await gateway.call('GET', '/account/export', { token });
  expect(body.access).toMatchObject([{ given_for: 'code', days: 30 }]);
  expect(body.under_the_address.unfinished_registrations).toMatchObject([
    { kind: 'packet', packet: { codes: 5, used: 1, organisation: 'Voksenopplæringen' } },
  ]);
});
