import { beforeAll, expect, test, vi } from 'vitest';
import {
  requestReclaimedLink,
  processStripeEvent,
} from '@proveklar/services/payments/incoming/stripe-events.ts';
import { searchPayments } from '@proveklar/services/payments/search-payments.ts';
import { setPrice } from '#support/factories.ts';
import { useTestGateway } from '#support/gateway.ts';
import { uniqueEmail } from '#support/identity.ts';
import { sendPasswordMails } from '#support/password-mails.ts';
import { payWithCard } from '#support/pay.ts';
import { sendPaymentSucceeded } from '#support/webhook.ts';

const gateway = useTestGateway();
const PASSWORD = 'et godt passord';

beforeAll(() => setPrice(gateway.deps.db, 149_00));

/** The language of each mail with a link to choose a password. */
async function languagesOfMails(email: string): Promise<string[]> {
  const mails = await sendPasswordMails(gateway, email);
  return mails.map(({ html }) => (html.includes('<html lang="nb">') ? 'no' : 'en'));
}

/** The languages in which `work` requests mails from the identity provider: the emulator ignores them. */
async function languagesAskedFor(work: () => Promise<unknown>): Promise<(string | null)[]> {
  const calls = vi.spyOn(globalThis, 'fetch');
  await work();
  return calls.mock.calls
    .filter(([url]) => typeof url === 'string' && url.includes('accounts:sendOobCode'))
    .map(([, options]) => new Headers(options?.headers).get('x-firebase-locale'));
}

/** A learner whose account has this language. */
async function learner(language: string) {
  const user = await gateway.identity.createPasswordUser();
  const headers = { 'accept-language': language };
  await gateway.call('GET', '/account', { token: user.idToken, headers });
  return user;
}

async function paidRegistration(email: string, language: string): Promise<string> {
  const { body } = await gateway.call('POST', '/payment/create-registration-intent', {
    body: { email, username: 'Ny', language },
  });
  await payWithCard(gateway, body.payment_intent_id);
  return body.payment_intent_id;
}

/** Does what the worker does for a webhook of a paid registration without a confirm call. */
async function settleByWebhook(intentId: string): Promise<void> {
  await sendPaymentSucceeded(gateway, intentId);
  const { rows } = await gateway.deps.db.query<{ id: string }>(
    'select id from stripe_event where payment_intent_id = $1',
    [intentId],
  );
  await processStripeEvent(gateway.deps, rows[0]!.id, 0);
}

type Way = (language: 'no' | 'en') => Promise<(string | null)[]>;

const WAYS: Record<string, Way> = {
  async 'a registration that only the webhook settled'(language) {
    const email = uniqueEmail();
    await settleByWebhook(await paidRegistration(email, language));
    return languagesOfMails(email);
  },

  async 'a paid address that a stranger had signed up with'(language) {
    const { email } = await gateway.identity.createPasswordUser();
    const intentId = await paidRegistration(email, language);
    const { db } = gateway.deps;
    const { rows } = await db.query<{ id: string }>(
      'select id from payment where payment_intent_id = $1',
      [intentId],
    );
    const body = { email, username: 'Ny', password: PASSWORD, payment_intent_id: intentId };
    await gateway.call('POST', '/payment/confirm-registration', { body });
    await requestReclaimedLink(gateway.deps, rows[0]!.id);
    return languagesOfMails(email);
  },

  async 'a search for a payment'(language) {
    const email = uniqueEmail();
    await settleByWebhook(await paidRegistration(email, language));
    // The search is made in the other language, and so is the mail with its result.
    const page = language === 'no' ? 'en' : 'no';
    await gateway.call('POST', '/payment/search', { body: { email, language: page } });
    const { rows } = await gateway.deps.db.query<{ id: string }>(
      'select id from payment_search where email = $1',
      [email],
    );
    const [created] = await languagesOfMails(email);
    await searchPayments(gateway.deps, rows[0]!.id);
    expect(created).toBe(language);
    return languagesOfMails(email);
  },

  async 'a free registration under an address that has an account'(language) {
    const { email } = await learner(language);
    await registerFree(email, language === 'no' ? 'en' : 'no');
    return languagesOfMails(email);
  },

  async 'a free registration under an address that only the sign-in service knows'(language) {
    const { email } = await gateway.identity.createPasswordUser();
    await registerFree(email, language);
    return languagesOfMails(email);
  },

  async 'a change of address'(language) {
    const { idToken: token } = await learner(language);
    const body = { email: uniqueEmail() };
    return languagesAskedFor(() => gateway.call('POST', '/account/email', { token, body }));
  },
};

async function registerFree(email: string, language: string): Promise<void> {
  await setPrice(gateway.deps.db, 0);
  const body = { email, username: 'Ny', password: PASSWORD, language };
  await gateway.call('POST', '/payment/confirm-registration', { body });
  await setPrice(gateway.deps.db, 149_00);
}

test.each(Object.keys(WAYS))('%s: the mail is in the person’s language', async (way) => {
  expect(await WAYS[way]!('en')).toEqual(['en']);
  vi.restoreAllMocks();
  expect(await WAYS[way]!('no')).toEqual(['no']);
});
