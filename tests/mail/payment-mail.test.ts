import { beforeAll, describe, expect, test } from 'vitest';
import { syncPayment } from '@proveklar/services/payments/books/sync-payment.ts';
import { changeSettings } from '@proveklar/services/settings/change-settings.ts';
import { allConsumed } from '#support/consumed.ts';
import { setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { uniqueEmail } from '#support/identity.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { payWithCard, stripeControl } from '#support/pay.ts';
import { queueBackends } from '#support/shared.ts';
import { useTestWorkers } from '#support/workers.ts';

const gateway = useTestGateway();
const workers = useTestWorkers();
const mailbox = useTestMailbox();
const plain = (text = '') => text.replaceAll(/[\u00A0\u202F]/g, ' ');

beforeAll(() => setPrice(gateway.deps.db, 14_900, 30));

/** Registers and pays through the API, as a browser does. */
async function register(email: string, language?: 'no' | 'en'): Promise<void> {
  const person = { email, username: 'Demo', ...(language && { language }) };
  const { body: intent } = await gateway.call('POST', '/payment/create-registration-intent', {
    body: person,
  });
  await payWithCard(gateway, intent.payment_intent_id);
  const { payment_intent_id } = intent;
  const { status } = await gateway.call('POST', '/payment/confirm-registration', {
    body: { ...person, payment_intent_id, password: 'et godt passord' },
  });
  expect(status).toBe(200);
}

describe.each(await queueBackends())('a payment, with queues on $name', ({ redisUrl }) => {
  const start = async () => {
    const environment = { SMTP_URL: mailbox.smtpUrl };
    const { start, backend } = await workers.on(gateway, redisUrl, environment);
    start();
    return backend;
  };

  test('is confirmed by one mail, in Norwegian unless another language is given', async () => {
    await start();
    const support_email = 'hjelp@example.no';
    await changeSettings(gateway.deps.db, 'admin@example.no', { support_email });
    const [norwegian, english] = [uniqueEmail(), uniqueEmail()];
    await register(norwegian);
    await register(english, 'en');
    await allConsumed(gateway.deps.db);
    const mails = await mailbox.mailsTo(norwegian);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ subject: 'Bekreftelse på betaling' });
    expect(plain(mails[0]?.text)).toContain('149 kr');
    expect(mails[0]?.text).toContain(`Skriv til ${support_email}.`);
    expect(mails[0]?.html).toContain('Tilgang til Prøveklar i 30 dager');
    expect(await mailbox.mailsTo(english)).toMatchObject([
      { subject: 'Confirmation of your payment' },
    ]);
  });

  test('is confirmed by one mail also when its job is delivered twice', async () => {
    const backend = await start();
    const email = uniqueEmail();
    await register(email);
    await allConsumed(gateway.deps.db);
    // As if the worker had died after sending, before the batch was marked as consumed.
    const { rows } = await gateway.deps.db.query(
      `update event_delivery set done_at = null from event_batch
       where event_batch.id = batch_id and name = 'payment.succeeded' and queue = 'mail'
       returning batch_id`,
    );
    const queue = backend.openQueue('mail');
    for (const { batch_id } of rows) {
      await queue.add('payment.succeeded', { batch_id }, { jobId: `again-${batch_id}` });
    }
    await allConsumed(gateway.deps.db);
    await queue.close();
    expect(await mailbox.mailsTo(email)).toHaveLength(1);
  });

  test('is confirmed once the mail server accepts mails again', async () => {
    mailbox.refuse(451);
    await start();
    const email = uniqueEmail();
    await register(email);
    const tried = async () => {
      const { rows } = await gateway.deps.db.query(
        `select mail.id from mail join account on account.id = account_id
         where account.email = $1 and claimed_until <= clock_timestamp()`,
        [email],
      );
      return rows.length;
    };
    await expect.poll(tried).toBe(1);
    mailbox.refuse(null);
    await allConsumed(gateway.deps.db);
    expect(await mailbox.mailsTo(email)).toHaveLength(1);
  });

  test('that failed and is paid before the mail about that could be sent leaves no mail waiting', async () => {
    await start();
    const { db } = gateway.deps;
    const person = { email: uniqueEmail(), username: 'Demo' };
    const { body: intent } = await gateway.call('POST', '/payment/create-registration-intent', {
      body: person,
    });
    const id = intent.payment_intent_id as string;
    await payWithCard(gateway, id, 'pm_card_processing');
    await syncPayment(gateway.deps, id);
    await stripeControl(gateway).settle(id, 'fail');
    mailbox.refuse(451);
    await syncPayment(gateway.deps, id);
    const claims = async () => {
      const { rows } = await db.query(
        `select claimed_until > clock_timestamp() as held from mail where kind = 'payment_failed'`,
      );
      return rows as { held: boolean }[];
    };
    await expect.poll(claims).toEqual([{ held: false }]);
    await payWithCard(gateway, id);
    await syncPayment(gateway.deps, id, { password: 'et godt passord' });
    await expect.poll(claims).toEqual([]);
    mailbox.refuse(null);
    await allConsumed(db);
    expect(await mailbox.mailsTo(person.email)).toMatchObject([
      { subject: 'Bekreftelse på betaling' },
    ]);
  });
});
