import { describe, expect, test } from 'vitest';
import type { MailContent } from '#mail/compose-mail.ts';
import { paymentRefunded, type RefundFacts } from './payment-refunded.ts';
import {
  type PaymentOutcome,
  paymentSearch,
  type SearchedAccount,
  type SearchFacts,
} from './payment-search.ts';
import { paymentWithdrawn, type WithdrawalFacts } from './payment-withdrawn.ts';
import { serviceEnding } from './service-ending.ts';
import type { ReceiptFacts } from './wording.ts';

const addresses = { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' };
const LANGUAGES = ['no', 'en'] as const;
const plain = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, ' ');
const readable = (html: string) =>
  plain(html)
    .replace(/<head>[^]*<\/head>/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');

/** The plain text, after checking that the HTML has the same content. */
function textOf({ text, html }: MailContent): string {
  const shown = readable(html);
  for (const words of plain(text).split(/\n+|: /)) expect(shown).toContain(words.replace(/:$/, ''));
  return plain(text);
}

const receipt: ReceiptFacts = {
  number: 42,
  vat_ore: 2980,
  vat_percent: 25,
  period_start: new Date('2026-11-20T12:00:00Z'),
  period_end: new Date('2026-12-20T12:00:00Z'),
  seller_name: 'Prøveklar AS',
  seller_organisation_number: '923609016',
  seller_address: 'Storgata 1\n0155 Oslo',
};

describe('the confirmation of a withdrawal', () => {
  const facts: WithdrawalFacts = {
    name: 'Demo',
    serviceDays: 30,
    daysUsed: 10,
    amountOre: 14_900,
    refundOre: 9_934,
    paidAt: new Date('2026-11-20T12:00:00Z'),
    withdrawnAt: new Date('2026-11-30T13:05:00Z'),
    hasBegun: true,
    hasOtherAccess: false,
    receipt,
  };

  test('states in Norwegian the purchase, the refund and the end of access', () => {
    const mail = paymentWithdrawn('no', facts, addresses);
    expect(mail.subject).toBe('Du har angret kjøpet');
    const text = textOf(mail);
    for (const words of [
      'Du kjøpte: Tilgang til Prøveklar i 30 dager',
      'Betalt: 149 kr, 20. november 2026',
      'Angret: 30. november 2026 kl. 14.05',
      'Dager du har brukt: 10 av 30',
      'Du får tilbake: 99,34 kr',
      'Kvitteringsnummer: 42',
      'Selger: Prøveklar AS',
      'Organisasjonsnummer: 923 609 016 MVA',
      'Adresse: Storgata 1, 0155 Oslo',
      '5 til 10 bankdager',
      'Tilgangen slutter nå.',
      'Skriv til kontakt@example.no.',
    ]) {
      expect(text).toContain(words);
    }
  });

  test('says the same in English', () => {
    const mail = paymentWithdrawn('en', facts, addresses);
    expect(mail.subject).toBe('You have withdrawn from your purchase');
    const text = textOf(mail);
    for (const words of [
      'You bought: Access to Prøveklar for 30 days',
      'Paid: NOK 149, 20 November 2026',
      'Withdrawn: 30 November 2026 at 14:05 (Norwegian time)',
      'Days you have used: 10 of 30',
      'You get back: NOK 99.34',
      'Receipt number: 42',
      'Seller: Prøveklar AS',
      '5 to 10 business days',
      'Your access ends now.',
    ]) {
      expect(text).toContain(words);
    }
  });

  test('says that other purchases continue', () => {
    const text = (language: 'no' | 'en') =>
      textOf(paymentWithdrawn(language, { ...facts, hasOtherAccess: true }, addresses));
    expect(text('no')).toContain('Du har fortsatt andre dager igjen.');
    expect(text('en')).toContain('You still have other days left.');
  });

  test('says that days which had not begun will not begin', () => {
    const text = (language: 'no' | 'en') =>
      textOf(paymentWithdrawn(language, { ...facts, hasBegun: false }, addresses));
    expect(text('no')).toContain('Dagene fra dette kjøpet begynner ikke. Resultatene dine');
    expect(text('en')).toContain('The days from this purchase will not begin. Your results');
  });
});

describe('the mail about a refund', () => {
  const facts: RefundFacts = {
    name: null,
    refundOre: 5_000,
    amountOre: 14_900,
    paidAt: new Date('2026-11-20T12:00:00Z'),
    daysTakenBack: 10,
    accessUntil: new Date('2026-12-10T12:05:00Z'),
    beginsAt: null,
    receipt,
  };
  const text = (language: 'no' | 'en', change: Partial<RefundFacts> = {}) =>
    textOf(paymentRefunded(language, { ...facts, ...change }, addresses));

  test('states the amount and the effect on the access', () => {
    const norwegian = text('no');
    expect(norwegian).toContain('Betalt tilbake: 50 kr');
    expect(norwegian).toContain('Kvitteringsnummer: 42');
    expect(norwegian).toContain('10 dager kortere enn du kjøpte');
    expect(norwegian).toContain('varer til 10. desember 2026 kl. 13.05');
    const english = text('en');
    expect(english).toContain('Paid back: NOK 50');
    expect(english).toContain('10 days shorter than you bought');
    expect(english).toContain('lasts until 10 December 2026 at 13:05 (Norwegian time)');
  });

  test.each([
    [{ daysTakenBack: 0 }, 'Du beholder alle dagene.', 'You keep all your days.'],
    [{ accessUntil: null }, 'Tilgangen din er slutt nå.', 'Your access has ended now.'],
    [
      { accessUntil: null, beginsAt: new Date('2026-12-04T23:00:00Z') },
      '10 dager mindre enn du kjøpte. Resten begynner 5. desember 2026 kl. 00.00.',
      'The rest begins on 5 December 2026 at 00:00 (Norwegian time).',
    ],
    [{ paidAt: null }, 'hadde ikke gitt deg tilgang', 'had not given you access'],
  ])('with %j says so', (change, norwegian, english) => {
    expect(text('no', change)).toContain(norwegian);
    expect(text('en', change)).toContain(english);
  });
});

test('the mail about the end of access states the date, that there is no subscription, and no price', () => {
  const facts = { name: 'Demo', expiresAt: new Date('2026-11-24T22:30:00Z') };
  const norwegian = serviceEnding('no', facts, addresses);
  expect(plain(norwegian.subject)).toBe('Tilgangen din slutter 24. november 2026');
  expect(textOf(norwegian)).toContain('Tilgangen din varer til: 24. november 2026 kl. 23.30');
  expect(textOf(norwegian)).toContain('Du har ikke et abonnement. Vi trekker ingen penger');
  expect(textOf(norwegian)).toContain('https://example.no/quiz/billing');
  expect(textOf(norwegian)).toContain('får du ikke flere slike e-poster');
  const english = serviceEnding('en', facts, addresses);
  expect(plain(english.subject)).toBe('Your access ends on 24 November 2026');
  expect(textOf(english)).toContain('You do not have a subscription. We do not take any money');
  expect(textOf(english)).toContain('you will get no more emails like this');
  for (const { text } of [norwegian, english]) expect(text).not.toMatch(/\d kr|%/);
});

describe('the mail about a payment search', () => {
  const paid = { begunAt: new Date('2026-11-20T12:00:00Z'), amountOre: 14_900, serviceDays: 30 };
  const mail = (
    language: 'no' | 'en',
    account: SearchedAccount,
    outcomes: PaymentOutcome[] = [],
  ) => {
    const payments: SearchFacts['payments'] = outcomes.map((outcome) => ({ ...paid, outcome }));
    return paymentSearch(language, { account, payments, packetUrls: [] }, addresses);
  };
  const until = new Date('2026-12-20T12:05:00Z');

  test.each<[SearchedAccount, PaymentOutcome[], string, string, string, string]>([
    [
      { state: 'needs_password' },
      ['settled'],
      'Vi fant betalingen din',
      'en egen e-post med en lenke',
      'We found your payment',
      'a separate email with a link',
    ],
    [
      { state: 'active', until, hasPassword: true },
      [],
      'Du har tilgang til Prøveklar',
      'varer til 20. desember 2026 kl. 13.05',
      'You have access to Prøveklar',
      'lasts until 20 December 2026 at 13:05',
    ],
    [
      { state: 'active', until: null, hasPassword: false },
      [],
      'Du har tilgang til Prøveklar',
      'Logg inn med Google',
      'You have access to Prøveklar',
      'Sign in with Google',
    ],
    [
      { state: 'expired', endedAt: until },
      [],
      'Hva som skjedde med betalingen din',
      'ingen betaling med denne e-postadressen',
      'What became of your payment',
      'no payment under this email address',
    ],
    [
      { state: 'waiting', beginsAt: new Date('2026-12-04T23:00:00Z') },
      ['settled'],
      'Vi fant betalingen din',
      'begynner 5. desember 2026 kl. 00.00.',
      'We found your payment',
      'begin on 5 December 2026 at 00:00 (Norwegian time).',
    ],
    [
      { state: 'disabled' },
      [],
      'Kontoen din er stengt',
      'Svar på denne e-posten',
      'Your account is closed',
      'Reply to this email',
    ],
    [
      { state: 'none' },
      [],
      'Vi fant ingen betaling',
      'en annen e-postadresse',
      'We found no payment',
      'another email address',
    ],
    [
      { state: 'none' },
      ['declined', 'processing'],
      'Hva som skjedde med betalingen din',
      '20. november 2026, 149 kr: Ikke betalt: Banken avviste kortet. Ingenting er trukket.',
      'What became of your payment',
      '20 November 2026, NOK 149: Your bank is still processing the payment.',
    ],
  ])('%j %j', (account, outcomes, noSubject, noWords, enSubject, enWords) => {
    const [norwegian, english] = [mail('no', account, outcomes), mail('en', account, outcomes)];
    expect([norwegian.subject, english.subject]).toEqual([noSubject, enSubject]);
    expect(textOf(norwegian)).toContain(noWords);
    expect(textOf(english)).toContain(enWords);
  });

  test.each(LANGUAGES)(
    'does not invite to pay again while a payment is pending (%s)',
    (language) => {
      const invites = (...outcomes: PaymentOutcome[]) =>
        textOf(mail(language, { state: 'none' }, outcomes)).includes('https://example.no/login');
      expect(invites('declined')).toBe(true);
      expect(invites('declined', 'processing')).toBe(false);
      expect(invites('stuck', 'cancelled')).toBe(false);
    },
  );

  test.each(LANGUAGES)('has a distinct text for every outcome (%s)', (language) => {
    const outcomes: PaymentOutcome[] = [
      'settled',
      'refunded',
      'disputed',
      'processing',
      'requires_action',
      'declined',
      'not_paid',
      'cancelled',
      'stuck',
    ];
    const said = outcomes.map((outcome) => textOf(mail(language, { state: 'none' }, [outcome])));
    expect(new Set(said).size).toBe(outcomes.length);
  });
});
