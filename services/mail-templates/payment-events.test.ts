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
import { payWithCard } from '@proveklar/tests/support/pay.ts';
import { mailPaymentConfirmation } from './payment-confirmation.ts';
import type { SignInMailDeps } from '#mail/send-once.ts';
import type { OutgoingMail } from '#mail/send-mail.ts';
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
  tell: (deps: SignInMailDeps, event: DeliveredEvent<N>) => Promise<unknown>,
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
