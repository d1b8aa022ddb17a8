import type Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { readPacket, refundUnused } from '@proveklar/services/payments/codes/buyer.ts';
import { hashOfCode } from '@proveklar/services/payments/codes/code.ts';
import { redeemCode, registerWithCode } from '@proveklar/services/payments/codes/redeem-code.ts';
import {
  processStripeEvent,
  storeStripeEvent,
} from '@proveklar/services/payments/incoming/stripe-events.ts';
import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import { makeRefund } from '@proveklar/services/payments/refund.ts';
import { beginPacket, type BoughtPacket, buyPacket } from '#support/codes.ts';
import { createLearner, setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { uniqueEmail } from '#support/identity.ts';
import { countUsers, payWithCard } from '#support/pay.ts';
import { bySize } from '#support/settings.ts';
import { atEachStep } from './crash.ts';

// Whichever process dies at whichever call: a paid packet has each code once, which its buyer can read, and a code
// becomes the days of one account.
const isFull = bySize({ quick: false, large: false, full: true });
const PASSWORD = 'et godt passord';
const gateway = useTestGateway();
beforeAll(() => setPrice(gateway.deps.db, 149_00));

type Begun = Omit<BoughtPacket, 'codes'> & { eventId: string };

async function paidPacket(): Promise<Begun> {
  const packet = await beginPacket(gateway);
  await payWithCard(gateway, packet.intentId);
  const event = {
    id: `evt_${crypto.randomUUID()}`,
    type: 'payment_intent.succeeded',
    data: { object: { id: packet.intentId, object: 'payment_intent' } },
  } as Stripe.Event;
  await withTransaction(gateway.deps.db, (tx) => storeStripeEvent(tx, event, 'webhook'));
  return { ...packet, eventId: event.id };
}

const PATHS = {
  page: (deps: PaymentDeps, { key }: Begun) => readPacket(deps, key),
  webhook: (deps: PaymentDeps, { eventId }: Begun) => processStripeEvent(deps, eventId, 0),
};

async function expectCodes({ id, key }: Begun): Promise<void> {
  const { kept_back: codes, unused } = await readPacket(gateway.deps, key);
  const { rows } = await gateway.deps.db.query(
    `select array_agg(encode(hash, 'hex') order by hash) as hashes,
       (select count(*)::int from receipt where payment_id = $1) as receipts,
       (select count(*)::int from outbox where name = 'packet.settled'
        and payload ->> 'payment_id' = $1::text) as mails
     from access_code where payment_id = $1`,
    [id],
  );
  const hashes = codes!.map((code) => hashOfCode(code)!.toString('hex')).toSorted();
  expect({ ...rows[0], unused }).toEqual({ hashes, receipts: 1, mails: 1, unused: 5 });
}

const KILLS = [
  ['killed after', { when: 'after' }],
  ['killed before', { when: 'before' }],
] as const;

describe.each(isFull ? KILLS : KILLS.slice(0, 1))('%s each call', (_name, crash) => {
  test.each([
    ['page', 'webhook'],
    ['webhook', 'page'],
  ] as const)('of the %s path, and the %s path gives the buyer the codes', async (one, other) => {
    const steps = await atEachStep(gateway.deps, crash, paidPacket, PATHS[one], async (packet) => {
      await PATHS[other](gateway.deps, packet);
      await expectCodes(packet);
    });
    expect(steps).toContain('stripe paymentIntents.retrieve');
    expect(steps).toContain('sql insert into access_code');
    expect(steps).toContain('sql commit');
  });

  test('of a registration with a code, and the same registration gets one account', async () => {
    const register = (deps: PaymentDeps, { code, email }: { code: string; email: string }) =>
      registerWithCode(deps, code, { email, username: 'Ny', password: PASSWORD });
    const bought = async () => {
      const { codes } = await buyPacket(gateway);
      return { code: codes[0]!, email: uniqueEmail() };
    };
    const steps = await atEachStep(gateway.deps, crash, bought, register, async (subject) => {
      expect(await register(gateway.deps, subject)).toMatchObject({
        account: { days_remaining: 30 },
        accountExisted: false,
      });
      expect(await countUsers(gateway, subject.email)).toBe(1);
      await gateway.identity.signInWithPassword(subject.email, PASSWORD);
    });
    expect(steps.filter((step) => step === 'identity createUser')).toHaveLength(1);
  });

  test('of redeeming a code, and the same learner gets its days once', async () => {
    const redeem = (deps: PaymentDeps, { accountId, code }: { accountId: string; code: string }) =>
      redeemCode(deps, accountId, code);
    const bought = async () => {
      const { codes } = await buyPacket(gateway);
      const { id: accountId } = await createLearner(gateway.deps.db, { days: 0 });
      return { accountId, code: codes[0]! };
    };
    const steps = await atEachStep(gateway.deps, crash, bought, redeem, async (subject) => {
      expect(await redeem(gateway.deps, subject)).toMatchObject({ days_remaining: 30 });
    });
    expect(steps).toContain('sql insert into credit');
  });

  test('of a refund of unused codes, and the buyer gets one refund', async () => {
    const amount = 5 * 149_00;
    const refund = async (deps: PaymentDeps, { key }: BoughtPacket) => {
      const { id } = await refundUnused(deps, key, amount);
      await makeRefund(deps, id);
    };
    const bought = () => buyPacket(gateway);
    const steps = await atEachStep(gateway.deps, crash, bought, refund, async (packet) => {
      await refund(gateway.deps, packet);
      const after = await readPacket(gateway.deps, packet.key);
      expect(after).toMatchObject({ unused: 0, withdrawn: 5, payment: { refunded_ore: amount } });
      const made = await gateway.deps.stripe.refunds.list({ payment_intent: packet.intentId });
      expect(made.data).toHaveLength(1);
    });
    expect(steps).toContain('stripe refunds.create');
  });
});
