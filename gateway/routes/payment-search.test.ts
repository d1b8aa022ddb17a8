import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { mailSearchResult } from '@proveklar/services/mail-templates/payment-search.ts';
import { createMailer } from '@proveklar/services/mail/send-mail.ts';
import { cancelPayment } from '@proveklar/services/payments/close-payment.ts';
import { createRegistrationIntent } from '@proveklar/services/payments/create-intent.ts';
import {
  forgetPaymentSearches,
  searchPayments,
} from '@proveklar/services/payments/search-payments.ts';
import { addDays, setPrice } from '@proveklar/tests/support/factories.ts';
import { createTestDeps, useTestGateway } from '@proveklar/tests/support/gateway.ts';
import { uniqueEmail } from '@proveklar/tests/support/identity.ts';
import { useTestMailbox } from '@proveklar/tests/support/mailbox.ts';
import {
  choosePasswordByMail,
  sendPasswordMails,
} from '@proveklar/tests/support/password-mails.ts';
import { payWithCard } from '@proveklar/tests/support/pay.ts';
import { buildApp } from '#app.ts';

const gateway = useTestGateway();
const mailbox = useTestMailbox();
const plain = (text = '') => text.replaceAll(/[\u00A0\u202F]/g, ' ');

beforeAll(() => setPrice(gateway.deps.db, 149_00));
beforeEach(async () => {
  await gateway.deps.db.query('delete from payment_search');
});

const ask = (email: string, language?: 'no' | 'en') =>
  gateway.call('POST', '/payment/search', { body: { email, ...(language && { language }) } });

/** A registration with a started payment. */
async function begun(email: string) {
  const intent = await createRegistrationIntent(gateway.deps, { email, username: 'Demo' });
  return { id: intent.payment_intent_id!, secret: intent.client_secret! };
}

/** Processes all events of a search, each twice; returns the one mail. */
async function answerTo(email: string, language?: 'no' | 'en') {
  expect(await ask(email, language)).toEqual({ status: 202, body: { ok: true } });
  const { db } = gateway.deps;
  const searches = await db.query<{ id: string }>(
    'select id from payment_search where email = $1 and done_at is null',
    [email.toLowerCase()],
  );
  const { id } = searches.rows[0]!;
  for (const _time of [1, 2]) await searchPayments(gateway.deps, id);
  const { rows } = await db.query<{ id: string; payload: { search_id: string } }>(
    `select id, payload from outbox
     where name = 'payment.searched' and payload ->> 'search_id' = $1`,
    [id],
  );
  expect(rows).toHaveLength(1);
  const mailer = createMailer({
    smtpUrl: mailbox.smtpUrl,
    from: 'kontakt@example.no',
    replyTo: 'kontakt@example.no',
    requireTls: false,
  });
  const addresses = { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' };
  const deps = { ...gateway.deps, mailer, addresses };
  for (const _time of [1, 2]) await mailSearchResult(deps, rows[0]!);
  const mails = await mailbox.mailsTo(email);
  expect(mails).toHaveLength(1);
  return { subject: mails[0]!.subject, text: plain(mails[0]!.text) };
}

describe('a payment search', () => {
  test('a payment search finds a paid payment among those that a stranger started for the same address', async () => {
    const email = uniqueEmail();
    const { id } = await begun(email);
    await payWithCard(gateway, id);
    for (const _one of Array.from({ length: 11 })) await begun(email);
    expect((await answerTo(email)).text).toContain('Betalt. Du fikk 30 dager.');
  });

  test('a payment search finds a paid payment behind more than it checks, started from another network', async () => {
    const email = uniqueEmail();
    const { id } = await begun(email);
    await payWithCard(gateway, id);
    await gateway.deps.db.query(
      `insert into payment (purpose, email, username, amount_ore, service_days, client_address)
       select 'registration', $1, 'Ny', 14900, 30, '203.0.113.7' from generate_series(1, 200)`,
      [email],
    );
    expect((await answerTo(email)).text).toContain('Betalt. Du fikk 30 dager.');
  });

  test('a payment search settles a paid payment, and mails a link to a user without a password', async () => {
    const email = uniqueEmail();
    const { id } = await begun(email);
    await payWithCard(gateway, id);
    const { subject, text } = await answerTo(email.toUpperCase());
    expect(subject).toBe('Vi fant betalingen din');
    expect(text).toContain('Betalt. Du fikk 30 dager.');
    await choosePasswordByMail(gateway, email, 'et godt passord');
    const { idToken } = await gateway.identity.signInWithPassword(email, 'et godt passord');
    const account = await gateway.call('GET', '/account', { token: idToken });
    expect(account.body.days_remaining).toBe(30);
  });

  test('a payment search tells a user with access until when it lasts, without a link', async () => {
    const owner = await gateway.identity.createPasswordUser();
    await addDays(gateway.deps.db, owner, 30);
    const { subject, text } = await answerTo(owner.email, 'en');
    expect(subject).toBe('You have access to Prøveklar');
    expect(text).toContain('Your access lasts until');
    expect(text).toContain('https://example.no/login?mode=reset');
    expect(await sendPasswordMails(gateway, owner.email)).toEqual([]);
  });

  test('a payment search reports what became of payments that gave no access', async () => {
    const email = uniqueEmail();
    await payWithCard(gateway, (await begun(email)).id, 'pm_card_processing');
    await payWithCard(gateway, (await begun(email)).id, 'pm_card_chargeDeclined').catch(() => {});
    await payWithCard(gateway, (await begun(email)).id, 'pm_card_authenticationRequired');
    const cancelled = await begun(email);
    await cancelPayment(gateway.deps, cancelled.id, cancelled.secret);
    const { subject, text } = await answerTo(email);
    expect(subject).toBe('Hva som skjedde med betalingen din');
    const outcomes = text.match(/(?<=149 kr: ).*/g);
    expect(outcomes).toEqual([
      'Avbrutt. Ingenting er trukket.',
      'Ikke betalt: Banken venter på at du godkjenner. Ingenting er trukket.',
      'Ikke betalt: Banken avviste kortet. Ingenting er trukket.',
      'Banken er ikke ferdig. Tilgangen starter av seg selv når den er det.',
    ]);
  });

  test('a payment search reports that there is no payment', async () => {
    const { subject, text } = await answerTo(uniqueEmail());
    expect(subject).toBe('Vi fant ingen betaling');
    expect(text).toContain('en annen e-postadresse');
  });

  test('a payment search does not reopen a closed account', async () => {
    const owner = await gateway.identity.createPasswordUser();
    const id = await addDays(gateway.deps.db, owner, 30);
    await gateway.deps.db.query(`update account set state = 'disabled' where id = $1`, [id]);
    expect((await answerTo(owner.email)).subject).toBe('Kontoen din er stengt');
  });

  test('a payment search is deleted after a day', async () => {
    const { db } = gateway.deps;
    await ask(uniqueEmail());
    await db.query(`update payment_search set created_at = created_at - interval '25 hours'`);
    await ask(uniqueEmail());
    await withTransaction(db, forgetPaymentSearches);
    expect((await db.query('select from payment_search')).rowCount).toBe(1);
  });

  test.each([{}, { email: 'nobody' }, { email: 'a@example.no', language: 'fr' }])(
    'a payment search is not started with %j',
    async (body) => {
      expect((await gateway.call('POST', '/payment/search', { body })).status).toBe(400);
    },
  );
});

describe('the limits of payment searches', () => {
  test('payment searches are limited by address, the same whether or not it is known', async () => {
    const other = await buildApp(createTestDeps(gateway.deps.config));
    try {
      const known = await gateway.identity.createPasswordUser();
      await addDays(gateway.deps.db, known, 30);
      for (const email of [known.email, uniqueEmail()]) {
        await gateway.deps.db.query('delete from payment_search');
        const calls = Array.from({ length: 12 }, (_, n) =>
          [gateway.app, other][n % 2]!.inject({
            method: 'POST',
            url: '/api/v1/payment/search',
            payload: { email: n % 3 ? email : email.toUpperCase() },
            remoteAddress: `10.0.0.${n}`,
          }),
        );
        const answers = await Promise.all(calls);
        expect(answers.filter(({ statusCode }) => statusCode === 202)).toHaveLength(5);
        const refused = answers.filter(({ statusCode }) => statusCode === 429);
        expect(refused).toHaveLength(7);
        const { details, ...body } = refused[0]!.json();
        expect(body).toMatchObject({ code: 'rate_limited' });
        expect(details.retry_after_s).toBeGreaterThan(1_800);
        expect(details.retry_after_s).toBeLessThanOrEqual(3_600);
      }
    } finally {
      await other.close();
    }
  });

  test('payment searches are limited by network, for an hour', async () => {
    const statuses = async (count: number) =>
      (await Promise.all(Array.from({ length: count }, () => ask(uniqueEmail())))).map(
        ({ status }) => status,
      );
    const first = await statuses(25);
    expect(first.filter((status) => status === 202)).toHaveLength(20);
    expect(first.filter((status) => status === 429)).toHaveLength(5);
    await gateway.deps.db.query(
      `update payment_search set created_at = created_at - interval '61 minutes'`,
    );
    expect(await statuses(1)).toEqual([202]);
  });
});
