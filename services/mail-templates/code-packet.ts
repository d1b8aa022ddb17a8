import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { type Block, composeMail } from '#mail/compose-mail.ts';
import { formatAmount, formatDate } from '#mail/format.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailByAddress,
  type MailDeps,
  type MailOutcome,
  sendOnce,
} from '#mail/send-once.ts';
import { readSettledPacket, recordPacketMailed } from '#payments/codes/buyer.ts';
import { packetKeyOf } from '#payments/codes/code.ts';
import type { PaymentDeps } from '#payments/payment.ts';
import {
  formatDays,
  formatMoment,
  greeting,
  type MailText,
  questions,
  receiptFacts,
  type ReceiptFacts,
  sellerFacts,
  vatIncluded,
} from './wording.ts';

/** For mails that lead to the page of a packet. */
export type PacketMailDeps = MailDeps & Pick<PaymentDeps, 'withdrawalKey'>;

/** The page of a packet. The key is in the fragment, which browsers send to no server. */
export function packetUrl(
  { withdrawalKey, addresses }: Pick<PacketMailDeps, 'withdrawalKey' | 'addresses'>,
  paymentId: string,
): string {
  return `${addresses.publicUrl}/skoler/koder#key=${packetKeyOf(withdrawalKey, paymentId)}`;
}

/**
 * Mails the buyer of a packet the codes, the receipt and the link to their page.
 *
 * @returns `no_recipient` when the address was removed
 */
export async function mailPacket(
  deps: PacketMailDeps,
  { id: eventId, payload }: DeliveredEvent<'packet.settled'>,
): Promise<MailOutcome> {
  const { payment, ...packet } = await readSettledPacket(deps, payload.payment_id);
  const { email, language, settled_at: paidAt } = payment;
  if (!email) return 'no_recipient';
  const facts: PacketFacts = {
    organisation: packet.organisation,
    organisationNumber: packet.organisation_number,
    codes: packet.mailable,
    count: packet.codes,
    amountOre: payment.amount_ore,
    serviceDays: payment.service_days,
    paidAt: paidAt!,
    expiresAt: packet.expires_at!,
    refundUntil: packet.refundUntil,
    receipt: packet.receipt,
    url: packetUrl(deps, payment.id),
  };
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const content = composeMail({ language, ...WORDING[language](facts, addresses) });
  const key: MailByAddress = { eventId, kind: 'code_packet', recipient: { email }, language };
  const outcome = await sendOnce(deps, key, email, content);
  if (typeof outcome !== 'object') await recordPacketMailed(deps.db, payment.id);
  return outcome;
}

interface PacketFacts {
  organisation: string;
  organisationNumber: string | null;
  /** Null when they are deleted, 14 days after the payment. */
  codes: string[] | null;
  count: number;
  /** Øre, including VAT. */
  amountOre: number;
  /** Of each code. */
  serviceDays: number;
  paidAt: Date;
  expiresAt: Date;
  /** Until when unused codes can be refunded. */
  refundUntil: Date;
  receipt: ReceiptFacts | null;
  /** The page of the packet. */
  url: string;
}

const codeList = (codes: string[]): Block => ({
  facts: codes.map((code, index) => [String(index + 1), code]),
});

/** Nine digits in groups of three. */
const grouped = (number: string) => number.replaceAll(/\d{3}(?=\d)/g, '$&\u00A0');

type Wording = (facts: PacketFacts, addresses: MailAddresses) => MailText;

const WORDING: Record<AppLanguage, Wording> = {
  no: (facts, { publicUrl, supportEmail }) => ({
    subject: `${facts.count} koder til Prøveklar`,
    blocks: [
      greeting('no', null),
      { paragraph: 'Takk for betalingen. Ta vare på denne e-posten.' },
      ...(facts.codes
        ? [
            {
              paragraph: `Her er kodene. Hver kode gir én person ${formatDays(facts.serviceDays, 'no')}. Vi lagrer dem ikke i lesbar form.`,
            },
            codeList(facts.codes),
          ]
        : [{ paragraph: 'Vi har ikke kodene i lesbar form lenger.' }]),
      {
        paragraph:
          'Den som får en kode, registrerer seg uten å betale, og skriver koden i skjemaet. Hvis personen ' +
          'har en konto fra før, skriver hun eller han koden under «Konto».',
      },
      { link: 'Registrer deg med kode', url: `${publicUrl}/quiz?mode=register` },
      {
        facts: [
          ['Kjøper', facts.organisation],
          ...number('Kjøpers organisasjonsnummer', facts),
          ['Du har kjøpt', `${facts.count} koder à ${formatDays(facts.serviceDays, 'no')}`],
          ['Beløp', formatAmount(facts.amountOre, 'no')],
          ...vat('no', facts.receipt),
          ['Betalt', formatDate(facts.paidAt, 'no')],
          ['Kodene kan brukes til', formatMoment(facts.expiresAt, 'no')],
          ...receiptFacts('no', facts.receipt),
          ...sellerFacts('no', facts.receipt),
        ],
      },
      {
        paragraph:
          'På siden til pakken ser du hvor mange koder som er brukt, og kvitteringen. Du kan få pengene ' +
          `tilbake for koder som ikke er brukt, til ${formatMoment(facts.refundUntil, 'no')}. Del ikke lenken ` +
          'med dem som får kodene.',
      },
      { link: 'Siden til pakken', url: facts.url },
      questions('no', supportEmail),
    ],
  }),
  en: (facts, { publicUrl, supportEmail }) => ({
    subject: `${facts.count} codes for Prøveklar`,
    blocks: [
      greeting('en', null),
      { paragraph: 'Thank you for your payment. Keep this email.' },
      ...(facts.codes
        ? [
            {
              paragraph: `Here are the codes. Each code gives one person ${formatDays(facts.serviceDays, 'en')}. We do not store them in a readable form.`,
            },
            codeList(facts.codes),
          ]
        : [{ paragraph: 'We no longer have the codes in a readable form.' }]),
      {
        paragraph:
          'The person who gets a code registers without paying, and enters the code in the form. A person who ' +
          'has an account already enters the code under “Account”.',
      },
      { link: 'Register with a code', url: `${publicUrl}/quiz?mode=register` },
      {
        facts: [
          ['Buyer', facts.organisation],
          ...number('Organisation number of the buyer', facts),
          [
            'You have bought',
            `${facts.count} codes for ${formatDays(facts.serviceDays, 'en')} each`,
          ],
          ['Amount', formatAmount(facts.amountOre, 'en')],
          ...vat('en', facts.receipt),
          ['Paid', formatDate(facts.paidAt, 'en')],
          ['The codes can be used until', formatMoment(facts.expiresAt, 'en')],
          ...receiptFacts('en', facts.receipt),
          ...sellerFacts('en', facts.receipt),
        ],
      },
      {
        paragraph:
          'On the page of the packet you see how many codes are used, and the receipt. You can get the money ' +
          `back for codes that are not used, until ${formatMoment(facts.refundUntil, 'en')}. Do not share the ` +
          'link with those who get the codes.',
      },
      { link: 'The page of the packet', url: facts.url },
      questions('en', supportEmail),
    ],
  }),
};

function number(
  name: string,
  { organisationNumber }: Pick<PacketFacts, 'organisationNumber'>,
): [string, string][] {
  return organisationNumber ? [[name, grouped(organisationNumber)]] : [];
}

function vat(language: AppLanguage, receipt: ReceiptFacts | null): [string, string][] {
  if (!receipt || receipt.vat_percent === 0) return [];
  const { vat_percent: percent, vat_ore: ore } = receipt;
  return [[vatIncluded(language, percent), formatAmount(ore, language)]];
}
