import { afterEach, describe, expect, test } from 'vitest';
import { addCredit } from '#accounts/credit-ledger.ts';
import { withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { addDays, setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { sendPasswordMails } from '@proveklar/tests/support/password-mails.ts';
import { payWithCard, stripeControl } from '@proveklar/tests/support/pay.ts';
import { forgetNeverPaid } from '#payments/personal-data.ts';
import { createExtensionIntent, createRegistrationIntent } from '#payments/create-intent.ts';
import { findPaymentByIntent, type PaymentDeps } from '#payments/payment.ts';
import { processStripeEvent } from './stripe-events.ts';
import { findReceipt } from '#payments/books/receipt.ts';
import {
  findReconciliation,
  reconcile,
  type Reconciliation,
  requestReconciliation,
} from './reconcile.ts';
import { syncPayment } from '#payments/books/sync-payment.ts';

const gateway = useTestGateway();
afterEach(() => stripeControl(gateway).removeFaults());

/** Starts a payment and returns its intent's id. */
async function startPayment(): Promise<string> {
  await setPrice(gateway.deps.db, 149_00);
  const email = uniqueEmail();
  const id = await addDays(gateway.deps.db, { uid: email, email }, 0);
  const intent = await createExtensionIntent(gateway.deps, { id, email, language: 'no' });
  return intent.payment_intent_id!;
}

async function run(
  since: Date | null = null,
  deps: Partial<PaymentDeps> = {},
): Promise<Reconciliation> {
  const { id } = await withTransaction(gateway.deps.db, (tx) =>
    requestReconciliation(tx, { requestedBy: 'operator', since }),
  );
  return (await reconcile({ ...gateway.deps, ...deps }, id))!;
}

/** Processes stored events, as the worker does. */
async function processStored(): Promise<void> {
  const { rows } = await gateway.deps.db.query<{ id: string }>(
    `select id from stripe_event where processed_at is null order by received_at`,
  );
  for (const { id } of rows) await processStripeEvent(gateway.deps, id, 0);
}

const stateOf = async (intentId: string) =>
  (await findPaymentByIntent(gateway.deps.db, intentId))?.state;

const anHourAgo = () => new Date(Date.now() - 3_600_000);

describe('reconciliation without webhooks', () => {
  test("finds a payment among Stripe's events and settles it once", async () => {
    const intentId = await startPayment();
    await payWithCard(gateway, intentId);
    expect((await run()).events_missed).toBeGreaterThan(0);
    await processStored();
    expect(await stateOf(intentId)).toBe('settled');
    expect((await run()).events_missed).toBe(0);
  });

  test('finds what no event reported by comparing payments, refunds and disputes', async () => {
    const [paid, refunded, disputed, cancelled] = [
      await startPayment(),
      await startPayment(),
      await startPayment(),
      await startPayment(),
    ];
    const { stripe } = gateway.deps;
    for (const id of [paid, refunded, disputed]) await payWithCard(gateway, id);
    await run(anHourAgo());
    const [charge] = (await stripe.charges.list({ payment_intent: disputed })).data;
    await stripe.refunds.create({ payment_intent: refunded });
    await stripeControl(gateway).dispute(charge!.id);
    await stripe.paymentIntents.cancel(cancelled);
    const { payments_checked, payments_changed } = await run(anHourAgo());
    // Four intents, a refund and a dispute, at least.
    expect(payments_checked).toBeGreaterThanOrEqual(6);
    expect(payments_changed).toBe(3);
    const { db } = gateway.deps;
    expect(await findPaymentByIntent(db, paid)).toMatchObject({ state: 'settled' });
    expect(await findPaymentByIntent(db, refunded)).toMatchObject({ refunded_ore: 149_00 });
    expect(await findPaymentByIntent(db, disputed)).toMatchObject({ dispute: 'open' });
    expect(await findPaymentByIntent(db, cancelled)).toMatchObject({
      state: 'cancelled',
      cancel_reason: 'stripe',
    });
    expect((await run(anHourAgo())).payments_changed).toBe(0);
  });

  test('creates the account of a paid registration and mails a link to choose a password', async () => {
    await setPrice(gateway.deps.db, 149_00);
    const email = uniqueEmail();
    const intent = await createRegistrationIntent(gateway.deps, { email, username: 'Demo' });
    await payWithCard(gateway, intent.payment_intent_id!);
    await run(anHourAgo());
    await run(anHourAgo());
    // Its event was missed, and is processed after the comparison has settled the payment.
    await processStored();
    expect(await sendPasswordMails(gateway, email)).toHaveLength(1);
    expect(await stateOf(intent.payment_intent_id!)).toBe('settled');
  });

  test('lists a payment with our metadata that our books lack', async () => {
    const { stripe } = gateway.deps;
    const lost = await stripe.paymentIntents.create({
      amount: 149_00,
      currency: 'nok',
      metadata: { payment_id: crypto.randomUUID() },
    });
    await payWithCard(gateway, lost.id);
    const elsewhere = await stripe.paymentIntents.create({ amount: 5_00, currency: 'nok' });
    await payWithCard(gateway, elsewhere.id);
    expect((await run(anHourAgo())).unknown_intents).toEqual([lost.id]);
  });

  test('ignores other sales of the same Stripe account, even with a payment_id', async () => {
    const { stripe, db } = gateway.deps;
    const { id } = await stripe.paymentIntents.create({
      amount: 5_00,
      currency: 'nok',
      metadata: { payment_id: 'order-17' },
    });
    await payWithCard(gateway, id);
    const event = 'evt_of_something_else';
    await db.query(
      `insert into stripe_event (id, type, object_id, payment_intent_id)
       values ($1, 'payment_intent.succeeded', $2, $2)`,
      [event, id],
    );
    expect(await processStripeEvent(gateway.deps, event, 0)).toBe('ignored');
    expect((await run(anHourAgo())).unknown_intents).not.toContain(id);
  });
});

test('a payment that cannot be settled does not stop the reconciliation of others', async () => {
  const { db, identity } = gateway.deps;
  await setPrice(db, 149_00);
  const request = { email: uniqueEmail(), username: 'Demo' };
  const stuck = (await createRegistrationIntent(gateway.deps, request)).payment_intent_id!;
  const [abandoned, older, newer] = [
    await startPayment(),
    await startPayment(),
    await startPayment(),
  ];
  for (const id of [older, stuck, newer]) await payWithCard(gateway, id);
  await db.query(
    `update payment set created_at = created_at - interval '25 hours'
     where payment_intent_id = any ($1)`,
    [[stuck, abandoned]],
  );
  const createUser = () => Promise.reject(new AppError('identity_provider_failed'));
  const broken = { identity: { ...identity, createUser } };
  await expect(run(anHourAgo(), broken)).rejects.toThrow('sign-in');
  expect(await Promise.all([older, newer, stuck].map(stateOf))).toEqual([
    'settled',
    'settled',
    'open',
  ]);
  await expect(run(null, broken)).rejects.toThrow('sign-in');
  expect(await stateOf(abandoned)).toBe('cancelled');
  const { rows } = await db.query('select state from reconciliation order by created_at desc');
  expect(rows[0]).toEqual({ state: 'done' });
  await run(anHourAgo());
  expect(await stateOf(stuck)).toBe('settled');
});

describe('a requested reconciliation', () => {
  const request = () =>
    withTransaction(gateway.deps.db, (tx) =>
      requestReconciliation(tx, { requestedBy: null, since: null }),
    );

  test('of the schedule is deleted when there is a newer one', async () => {
    const [old, newer] = [await request(), await request()];
    expect(await reconcile(gateway.deps, old.id)).toBeNull();
    expect(await reconcile(gateway.deps, newer.id)).toMatchObject({ state: 'done' });
    expect(await findReconciliation(gateway.deps.db, old.id)).toBeNull();
  });

  test('of the schedule keeps what it found when it is repeated after a newer one', async () => {
    const { id } = await request();
    await reconcile(gateway.deps, id);
    await request();
    expect(await reconcile(gateway.deps, id)).toBeNull();
    expect(await findReconciliation(gateway.deps.db, id)).toMatchObject({ state: 'done' });
  });

  test('does nothing when it was pruned meanwhile', async () => {
    expect(await reconcile(gateway.deps, crypto.randomUUID())).toBeNull();
  });
});

describe('an abandoned payment', () => {
  const age = (intentId: string) =>
    gateway.deps.db.query(
      `update payment set created_at = created_at - interval '25 hours' where payment_intent_id = $1`,
      [intentId],
    );

  test('is cancelled after a day, at Stripe too', async () => {
    const intentId = await startPayment();
    await age(intentId);
    const young = await startPayment();
    await run();
    expect(await findPaymentByIntent(gateway.deps.db, intentId)).toMatchObject({
      state: 'cancelled',
      cancel_reason: 'abandoned',
      intent_status: 'canceled',
    });
    expect((await gateway.deps.stripe.paymentIntents.retrieve(intentId)).status).toBe('canceled');
    expect(await stateOf(young)).toBe('open');
  });

  test('is settled instead when it was paid unnoticed', async () => {
    const intentId = await startPayment();
    await payWithCard(gateway, intentId);
    await age(intentId);
    await run();
    expect(await stateOf(intentId)).toBe('settled');
  });

  test('stays as it is when it was refunded before its account was created', async () => {
    const { db, identity, stripe } = gateway.deps;
    await setPrice(db, 149_00);
    const request = { email: uniqueEmail(), username: 'Demo' };
    const intentId = (await createRegistrationIntent(gateway.deps, request)).payment_intent_id!;
    await payWithCard(gateway, intentId);
    const createUser = () => Promise.reject(new AppError('email_refused'));
    const refusing = { identity: { ...identity, createUser } };
    const sync = syncPayment({ ...gateway.deps, ...refusing }, intentId);
    await expect(sync).rejects.toMatchObject({ code: 'email_refused' });
    await stripe.refunds.create({ payment_intent: intentId });
    await run(anHourAgo(), refusing);
    await age(intentId);
    expect(await run(null, refusing)).toMatchObject({ state: 'done' });
    expect(await findPaymentByIntent(db, intentId)).toMatchObject({
      outcome: 'refunded',
      attention: null,
    });
  });

  test('stays open while the bank is processing it', async () => {
    const intentId = await startPayment();
    await payWithCard(gateway, intentId, 'pm_card_processing');
    await age(intentId);
    await run();
    await run();
    expect(await stateOf(intentId)).toBe('open');
    await stripeControl(gateway).settle(intentId, 'succeed');
    await run(new Date(Date.now() - 2 * 86_400_000));
    expect(await stateOf(intentId)).toBe('settled');
  });

  test('loses name and address 30 days after its cancellation', async () => {
    const { db } = gateway.deps;
    await setPrice(db, 149_00);
    const [old, recent, paid] = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const request = { email: uniqueEmail(), username: 'Demo' };
        return (await createRegistrationIntent(gateway.deps, request)).payment_intent_id!;
      }),
    );
    await payWithCard(gateway, paid!);
    await syncPayment(gateway.deps, paid!);
    for (const id of [old!, recent!]) await gateway.deps.stripe.paymentIntents.cancel(id);
    for (const id of [old!, recent!]) await syncPayment(gateway.deps, id);
    const ago = (id: string, days: number) =>
      db.query(
        `update payment set created_at = created_at - make_interval(days => $2),
           cancelled_at = cancelled_at - make_interval(days => $2) where payment_intent_id = $1`,
        [id, days],
      );
    await ago(old!, 31);
    await ago(recent!, 29);
    await ago(paid!, 31);
    await withTransaction(db, forgetNeverPaid);
    const anonymized = await findPaymentByIntent(db, old!);
    expect(anonymized).toMatchObject({ username: null, state: 'cancelled' });
    expect(anonymized!.email).toBe(`deleted-${anonymized!.id}@invalid`);
    for (const id of [recent!, paid!]) {
      expect(await findPaymentByIntent(db, id)).toMatchObject({ username: 'Demo' });
    }
  });

  test('without a stored intent is cancelled too', async () => {
    await setPrice(gateway.deps.db, 149_00);
    const email = uniqueEmail();
    await stripeControl(gateway).addFault({
      kind: 'error',
      call: 'POST /v1/payment_intents',
      times: 5,
    });
    const request = { email, username: 'Demo' };
    await expect(createRegistrationIntent(gateway.deps, request)).rejects.toThrow(
      'payment provider',
    );
    await gateway.deps.db.query(
      `update payment set created_at = created_at - interval '25 hours' where email = $1`,
      [email],
    );
    await run();
    const { rows } = await gateway.deps.db.query('select state from payment where email = $1', [
      email,
    ]);
    expect(rows).toEqual([{ state: 'cancelled' }]);
  });
});

test('a payment settled by a version without receipts gets its receipt', async () => {
  const { db } = gateway.deps;
  const intentId = await startPayment();
  await payWithCard(gateway, intentId);
  await syncPayment(gateway.deps, intentId);
  const payment = (await findPaymentByIntent(db, intentId))!;
  const issued = await findReceipt(db, payment.id);
  await db.query('delete from receipt where payment_id = $1', [payment.id]);
  await Promise.all([run(anHourAgo()), run(anHourAgo())]);
  const again = await findReceipt(db, payment.id);
  expect(again).toMatchObject({ number: issued!.number + 1, period_end: issued!.period_end });
});

test('a payment that an older version settles meanwhile is read again', async () => {
  const { db, stripe } = gateway.deps;
  const intentId = await startPayment();
  await payWithCard(gateway, intentId);
  const { id } = (await findPaymentByIntent(db, intentId))!;
  // As that version settles: without a revision.
  const settle = async () => {
    const { rows } = await db.query<{ account_id: string }>(
      `update payment set state = 'settled', settled_at = clock_timestamp()
       where id = $1 and state <> 'settled' returning account_id`,
      [id],
    );
    if (!rows[0]) return;
    await withTransaction(db, (tx) =>
      addCredit(tx, { accountId: rows[0]!.account_id, paymentId: id, days: 30 }),
    );
  };
  const paymentIntents = Object.create(stripe.paymentIntents) as typeof stripe.paymentIntents;
  paymentIntents.retrieve = async (...args: Parameters<typeof paymentIntents.retrieve>) => {
    const intent = await stripe.paymentIntents.retrieve(...args);
    await settle();
    return intent;
  };
  const { balanceTransactions, charges, disputes, events, refunds } = stripe;
  const slow = { balanceTransactions, charges, disputes, events, refunds, paymentIntents };
  expect(await syncPayment({ ...gateway.deps, stripe: slow }, intentId)).toMatchObject({
    state: 'settled',
    intent_status: 'succeeded',
  });
});
