import { beforeAll, describe, expect, test } from 'vitest';
import { withTransaction } from '#database/pool.ts';
import type { DeliveredEvent, EventName } from '#events/catalogue.ts';
import { createRegistrationIntent } from '#payments/create-intent.ts';
import { makeRefund, requestRefund } from '#payments/refund.ts';
import { findPaymentByIntent } from '#payments/payment.ts';
import { syncPayment } from '#payments/books/sync-payment.ts';
import { withdraw } from '#payments/purchases.ts';
import { setPrice } from '@proveklar/tests/support/factories.ts';
import { useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { payWithCard, stripeControl } from '@proveklar/tests/support/pay.ts';
import { mailPaymentConfirmation } from './payment-confirmation.ts';
import type { SignInMailDeps } from '#mail/send-once.ts';
import type { PacketMailDeps } from './code-packet.ts';
import type { OutgoingMail } from '#mail/send-mail.ts';
import { mailFailedPayment, mailProcessingPayment } from './payment-processing.ts';
import { mailRefund } from './payment-refunded.ts';
import { mailWithdrawal } from './payment-withdrawn.ts';

const gateway = useTestGateway();
const addresses = { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' };
beforeAll(() => setPrice(gateway.deps.db, 149_00));

/** A paid and settled registration, with the learner's password or settled by the webhook. */
async function settled(password?: string, consentVersion: string | undefined = 'no-2026-11') {
  const email = uniqueEmail();
  const request = { email, username: 'Demo', ...(consentVersion && { consentVersion }) };
  const { payment_intent_id: id } = await createRegistrationIntent(gateway.deps, request);
  await payWithCard(gateway, id!);
  const payment = await syncPayment(gateway.deps, id!, { password });
  return { email, payment, accountId: payment.account_id! };
}

/** Sends the mail for the newest event of a name. */
async function mailed<N extends EventName>(
  name: N,
  tell: (deps: SignInMailDeps & PacketMailDeps, event: DeliveredEvent<N>) => Promise<unknown>,
) {
  const { rows } = await gateway.deps.db.query<DeliveredEvent<N>>(
    'select id, payload from outbox where name = $1 order by id desc limit 1',
    [name],
  );
  const mails: OutgoingMail[] = [];
  const send = async (mail: OutgoingMail) => void mails.push(mail);
  const deps = { ...gateway.deps, mailer: { send }, addresses };
  const outcome = await tell(deps, rows[0]!);
  const text = mails[0]?.text.replaceAll(/[\u00A0\u202F]/g, ' ') ?? '';
  return { outcome, to: mails[0]?.to, text };
}

describe('a learner whose bank takes its time', () => {
  /** The newest event, as old as if it had been emitted so many seconds ago. */
  const after =
    (seconds: number) => (deps: SignInMailDeps, event: DeliveredEvent<'payment.processing'>) => {
      const since = new Date(Date.parse(event.payload.since) - seconds * 1000).toISOString();
      return mailProcessingPayment(deps, { ...event, payload: { ...event.payload, since } });
    };

  async function processing(language: 'no' | 'en' = 'no') {
    const email = uniqueEmail();
    const request = { email, username: 'Demo', language };
    const { payment_intent_id: id } = await createRegistrationIntent(gateway.deps, request);
    await payWithCard(gateway, id!, 'pm_card_processing');
    await syncPayment(gateway.deps, id!);
    return { email, id: id! };
  }

  test.each([
    ['no', 'Ikke betal på nytt.'],
    ['en', 'Do not pay again.'],
  ] as const)('is mailed after a minute, in %s, and once only', async (language, words) => {
    const { email, id } = await processing(language);
    const early = await mailed('payment.processing', after(0));
    expect(early.outcome).toMatchObject({ retryInMs: expect.any(Number) });
    const { to, text } = await mailed('payment.processing', after(61));
    expect(to).toBe(email);
    expect(text).toContain(words);
    await syncPayment(gateway.deps, id);
    expect(await mailed('payment.processing', after(61))).toMatchObject({ outcome: 'sent_before' });
  });

  test('is not mailed that it is processed when it is done by then', async () => {
    const { id } = await processing();
    await stripeControl(gateway).settle(id, 'succeed');
    await syncPayment(gateway.deps, id);
    expect(await mailed('payment.processing', after(61))).toMatchObject({ outcome: 'not_needed' });
    const events = await gateway.deps.db.query(
      `select from outbox where name = 'payment.failed' and payload ->> 'payment_id' in
         (select id::text from payment where payment_intent_id = $1)`,
      [id],
    );
    expect(events.rowCount).toBe(0);
  });

  test('is mailed that it failed and nothing was charged, unless it was tried again', async () => {
    const { email, id } = await processing();
    await stripeControl(gateway).settle(id, 'fail');
    await syncPayment(gateway.deps, id);
    const { to, text } = await mailed('payment.failed', mailFailedPayment);
    expect(to).toBe(email);
    expect(text).toContain('Ingen penger er trukket.');
    expect(text).toContain('https://example.no/quiz?mode=register');
    const again = await processing();
    await stripeControl(gateway).settle(again.id, 'fail');
    await syncPayment(gateway.deps, again.id);
    await payWithCard(gateway, again.id);
    await syncPayment(gateway.deps, again.id, { password: 'et godt passord' });
    expect(await mailed('payment.failed', mailFailedPayment)).toMatchObject({
      outcome: 'not_needed',
    });
  });
});

describe('a learner who paid', () => {
  test('gets a mail that mentions the password link when the webhook created the account', async () => {
    await settled();
    const { text } = await mailed('payment.succeeded', mailPaymentConfirmation);
    expect(text).toContain('Vi har sendt deg en egen e-post med en lenke.');
    expect(text).toMatch(/Kvitteringsnummer: \d+/);
    expect(text).toContain('ba du om at tilgangen skulle starte med en gang');
  });

  test('gets a mail without a password link after choosing a password', async () => {
    const { payment } = await settled('et godt passord');
    const { text } = await mailed('payment.succeeded', mailPaymentConfirmation);
    expect(text).not.toContain('passord');
    expect(text).toContain(`https://example.no/quiz/receipts/${payment.id}`);
  });

  test('and withdraws gets a confirmation immediately', async () => {
    const { email, payment, accountId } = await settled('et godt passord');
    await gateway.deps.db.query(
      `update credit set credited_at = credited_at - interval '10 days 1 hour'
       where payment_id = $1`,
      [payment.id],
    );
    const paymentId = payment.id;
    await withdraw(gateway.deps, { accountId, paymentId, refundOre: 9_934 });
    const { to, text } = await mailed('payment.withdrawn', mailWithdrawal);
    expect(to).toBe(email);
    expect(text).toContain('Dager du har brukt: 10 av 30');
    expect(text).toContain('Du får tilbake: 99,34 kr');
    expect(text).toContain('Tilgangen slutter nå.');
  });

  test('and gets a partial refund reads what is left', async () => {
    const { email, payment } = await settled('et godt passord');
    const { id } = await withTransaction(gateway.deps.db, (tx) =>
      requestRefund(tx, {
        paymentId: payment.id,
        amountOre: 7_450,
        reason: 'administrator',
        requestedBy: 'admin@example.no',
      }),
    );
    await makeRefund(gateway.deps, id);
    const { to, text } = await mailed('payment.refunded', mailRefund);
    expect(to).toBe(email);
    expect(text).toContain('Betalt tilbake: 74,50 kr');
    expect(text).toContain('15 dager kortere enn du kjøpte');
  });

  test('and is refunded in Stripe without ever having had access gets a mail', async () => {
    const email = uniqueEmail();
    const { payment_intent_id: intent } = await createRegistrationIntent(gateway.deps, {
      email,
      username: 'Demo',
    });
    await payWithCard(gateway, intent!);
    // Stripe took another amount than requested, so no account gets days for it.
    await gateway.deps.db.query(
      'update payment set amount_ore = amount_ore + 1 where payment_intent_id = $1',
      [intent],
    );
    await gateway.deps.stripe.refunds.create({ payment_intent: intent! });
    await syncPayment(gateway.deps, intent!);
    expect((await findPaymentByIntent(gateway.deps.db, intent!))?.account_id).toBeNull();
    const { to, text } = await mailed('payment.refunded', mailRefund);
    expect(to).toBe(email);
    expect(text).toContain('Betalingen hadde ikke gitt deg tilgang.');
  });

  test('after an attempt to mail a refund without an account gets that mail, with its Message-ID', async () => {
    const email = uniqueEmail();
    const request = { email, username: 'Demo' };
    const { db, stripe } = gateway.deps;
    const { payment_intent_id: intent } = await createRegistrationIntent(gateway.deps, request);
    await payWithCard(gateway, intent!);
    const addOre = (ore: number) =>
      db.query(
        'update payment set amount_ore = amount_ore + $2, revision = revision + 1 where payment_intent_id = $1',
        [intent, ore],
      );
    await addOre(1);
    await stripe.refunds.create({ payment_intent: intent!, amount: 10_00 });
    await syncPayment(gateway.deps, intent!);
    const down = { send: () => Promise.reject(new Error('The relay is down')) };
    await expect(
      mailed('payment.refunded', (deps, event) => mailRefund({ ...deps, mailer: down }, event)),
    ).rejects.toThrow('The relay is down');
    const claims = async () =>
      (await db.query('select id, account_id, email from mail order by id desc limit 2')).rows;
    const [claimed, before] = await claims();
    expect(claimed).toMatchObject({ account_id: null, email });

    await addOre(-1);
    const { account_id } = await syncPayment(gateway.deps, intent!, {
      password: 'et godt passord',
    });
    expect(account_id).not.toBeNull();
    expect(await mailed('payment.refunded', mailRefund)).toMatchObject({ to: email });
    expect(await claims()).toEqual([{ id: claimed.id, account_id, email: null }, before]);
  });

  test('without consent, with a card that has withdrawn before, reads when the days begin', async () => {
    const first = await settled('et godt passord');
    const request = { accountId: first.accountId, paymentId: first.payment.id, refundOre: 149_00 };
    await makeRefund(gateway.deps, (await withdraw(gateway.deps, request)).id);
    const { payment, accountId } = await settled('et godt passord', '');
    const paid = await mailed('payment.succeeded', mailPaymentConfirmation);
    expect(paid.text).toMatch(/Dagene begynner: .* kl\. 00\.00/);
    expect(paid.text).not.toContain('Du har nå tilgang');
    expect(paid.text).toContain('får du tilbake alle pengene');

    await withdraw(gateway.deps, { accountId, paymentId: payment.id, refundOre: 149_00 });
    const withdrawn = await mailed('payment.withdrawn', mailWithdrawal);
    expect(withdrawn.text).toContain('Dager du har brukt: 0 av 30');
    expect(withdrawn.text).toContain('Dagene fra dette kjøpet begynner ikke.');
    await gateway.deps.db.query('truncate withdrawal_mark');
  });

  test('and was deleted gets no mail', async () => {
    const { accountId } = await settled('et godt passord');
    await gateway.deps.db.query(`update account set state = 'deleted' where id = $1`, [accountId]);
    expect((await mailed('payment.succeeded', mailPaymentConfirmation)).outcome).toBe(
      'no_recipient',
    );
  });
});
