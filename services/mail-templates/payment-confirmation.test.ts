import { describe, expect, test } from 'vitest';
import { paymentConfirmation, type PaymentFacts } from './payment-confirmation.ts';

const facts: PaymentFacts = {
  paymentId: '01930000-0000-7000-8000-000000000001',
  name: 'Demo',
  amountOre: 14_900,
  paidAt: new Date('2026-11-20T12:00:00Z'),
  serviceDays: 30,
  expiresAt: new Date('2026-12-20T12:05:00Z'),
  beginsAt: null,
  receipt: null,
  consentedAt: null,
  withdrawUntil: new Date('2026-12-04T22:59:59.999Z'),
  accountExisted: false,
  needsPassword: false,
};
const addresses = { publicUrl: 'https://example.no', supportEmail: 'kontakt@example.no' };
const plain = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, ' ');

/** The visible text of the HTML. */
const readable = (html: string) =>
  plain(html)
    .replace(/<head>[^]*<\/head>/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('the confirmation of a payment', () => {
  test('states in Norwegian the purchase, the amount, the date and the end of access', () => {
    const { subject, text, html } = paymentConfirmation('no', facts, addresses);
    expect(subject).toBe('Bekreftelse på betaling');
    expect(plain(text)).toContain('Du har kjøpt: Tilgang til Prøveklar i 30 dager');
    expect(plain(text)).toContain('Beløp: 149 kr');
    expect(plain(text)).toContain('Betalt: 20. november 2026');
    expect(plain(text)).toContain('Tilgangen varer til: 20. desember 2026 kl. 13.05');
    expect(text).toContain('ikke et abonnement');
    expect(text).toContain('kontakt@example.no');
    expect(html).toContain('<html lang="nb">');
    expect(html).toContain('href="https://example.no/quiz"');
  });

  test('says the same in English', () => {
    const { subject, text, html } = paymentConfirmation('en', facts, addresses);
    expect(subject).toBe('Confirmation of your payment');
    expect(plain(text)).toContain('You have bought: Access to Prøveklar for 30 days');
    expect(plain(text)).toContain('Amount: NOK 149');
    expect(plain(text)).toContain('Paid: 20 November 2026');
    expect(plain(text)).toContain('lasts until: 20 December 2026 at 13:05 (Norwegian time)');
    expect(text).toContain('not a subscription');
    expect(html).toContain('<html lang="en">');
  });

  test('states when waiting days begin, after the withdrawal period, and why', () => {
    const waiting = { ...facts, beginsAt: new Date('2026-12-04T23:00:00Z') };
    const norwegian = plain(paymentConfirmation('no', waiting, addresses).text);
    expect(norwegian).toContain('begynner 5. desember 2026 kl. 00.00. Da er fristen for å angre');
    expect(norwegian).toContain('Dagene begynner: 5. desember 2026 kl. 00.00');
    expect(norwegian).not.toContain('Du har nå tilgang');
    const english = plain(paymentConfirmation('en', waiting, addresses).text);
    expect(english).toContain('begin on 5 December 2026 at 00:00 (Norwegian time). The time to');
    expect(english).toContain('The days begin: 5 December 2026 at 00:00 (Norwegian time)');
    expect(english).not.toContain('You now have access');
  });

  const complete: PaymentFacts = {
    ...facts,
    receipt: {
      number: 42,
      vat_ore: 2980,
      vat_percent: 25,
      period_start: new Date('2026-11-20T12:00:00Z'),
      period_end: new Date('2026-12-20T12:00:00Z'),
      seller_name: 'Prøveklar AS',
      seller_organisation_number: '923609016',
      seller_address: 'Storgata 1\n0155 Oslo',
    },
    consentedAt: new Date('2026-11-20T11:59:00Z'),
    needsPassword: true,
  };

  test('contains what the law requires a buyer to get', () => {
    const text = plain(paymentConfirmation('no', complete, addresses).text);
    for (const words of [
      'Beløp (inkludert mva.): 149 kr',
      'Av dette mva. (25 %): 29,80 kr',
      'Kjøpet gjelder: 20. november 2026 – 20. desember 2026',
      'Kvitteringsnummer: 42',
      'Selger: Prøveklar AS',
      'Organisasjonsnummer: 923 609 016 MVA',
      'Adresse: Storgata 1, 0155 Oslo',
      'https://example.no/quiz/receipts/01930000-0000-7000-8000-000000000001',
      'ba du om at tilgangen skulle starte med en gang',
      'Fristen er 4. desember 2026 kl. 23.59.',
      'pengene for dagene du ikke har brukt',
      'https://example.no/angrerett',
      'en egen e-post med en lenke',
    ]) {
      expect(text).toContain(words);
    }
    const english = plain(paymentConfirmation('en', complete, addresses).text);
    for (const words of [
      'Amount (including VAT): NOK 149',
      'Of which VAT (25%): NOK 29.80',
      'The purchase covers: 20 November 2026 – 20 December 2026',
      'Receipt number: 42',
      'you asked for your access to start at once',
      'The deadline is 4 December 2026 at 23:59 (Norwegian time).',
      'a separate email with a link',
    ]) {
      expect(english).toContain(words);
    }
  });

  test('omits consent that was not given, VAT that was not charged and an unknown seller', () => {
    const receipt = { ...complete.receipt!, vat_percent: 0, vat_ore: 0, seller_name: null };
    const { text } = paymentConfirmation('no', { ...facts, receipt }, addresses);
    expect(plain(text)).toContain('Mva.: 0 kr: selgeren er ikke registrert for mva.');
    expect(text).not.toContain('inkludert mva');
    expect(text).not.toContain('Selger:');
    expect(text).not.toContain('starte med en gang');
    expect(text).toContain('får du tilbake alle pengene');
    expect(text).not.toContain('passord');
  });

  test.each(['no', 'en'] as const)(
    'has the same content as plain text and as HTML (%s)',
    (language) => {
      const { text, html } = paymentConfirmation(language, complete, addresses);
      const shown = readable(html);
      for (const words of plain(text).split(/\n+|: /)) {
        expect(shown).toContain(words.replace(/:$/, ''));
      }
    },
  );

  test('formats one day, øre and dates in Norwegian time', () => {
    const { text } = paymentConfirmation(
      'no',
      // Half past midnight of the next year in Norway.
      {
        ...facts,
        name: null,
        amountOre: 123_450,
        serviceDays: 1,
        paidAt: new Date('2026-12-31T23:30:00Z'),
      },
      addresses,
    );
    expect(plain(text)).toContain('i 1 dag\n');
    expect(plain(text)).toContain('1 234,50 kr');
    expect(plain(text)).toContain('Betalt: 1. januar 2027');
    expect(text).toContain('Hei!');
  });

  test('escapes a hostile name', () => {
    const name = '</p><script>alert(1)</script>" onload="x\r\n\r\nBcc: all@example.no\u202E';
    const { subject, text, html } = paymentConfirmation('no', { ...facts, name }, addresses);
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;x Bcc:');
    expect(text).toContain('Hei, </p><script>alert(1)</script>" onload="x Bcc: all@example.no!');
    expect(text).not.toContain('\u202E');
    expect(subject).not.toContain('script');
  });
});
