import type { AppLanguage } from '@proveklar/contract/language.ts';
import { findAccountByEmail } from '#accounts/account.ts';
import { readWaitingDays } from '#accounts/credit-ledger.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { type Block, composeMail, type MailContent } from '#mail/compose-mail.ts';
import { formatAmount, formatDate } from '#mail/format.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailByAddress,
  type MailOutcome,
  sendOnce,
  type SignInMailDeps,
} from '#mail/send-once.ts';
import { findPaymentSearch, type FoundPayment, listPaymentsOf } from '#payments/search-payments.ts';
import { type PacketMailDeps, packetUrl } from './code-packet.ts';
import { formatDays, formatMoment, type MailText, questions } from './wording.ts';

/**
 * Mails the result of a payment search to the address that was searched for.
 *
 * @returns `not_needed` when the search was deleted meanwhile
 * @throws AppError `identity_provider_failed`
 */
export async function mailSearchResult(
  deps: SignInMailDeps & PacketMailDeps,
  { id: eventId, payload }: DeliveredEvent<'payment.searched'>,
): Promise<MailOutcome> {
  const search = await findPaymentSearch(deps.db, payload.search_id);
  if (!search) return 'not_needed';
  const { email, language } = search;
  const found = await listPaymentsOf(deps.db, email);
  const payments = found.filter(({ purpose }) => purpose !== 'packet');
  const packets = found.filter(({ purpose, state }) => purpose === 'packet' && state === 'settled');
  const content = paymentSearch(
    language,
    {
      account: await accountOf(deps, email),
      packetUrls: packets.map(({ id }) => packetUrl(deps, id)),
      payments: payments.map((payment) => ({
        begunAt: payment.created_at,
        amountOre: payment.amount_ore,
        serviceDays: payment.service_days,
        outcome: outcomeOf(payment),
      })),
    },
    await currentAddresses(deps.db, deps.addresses),
  );
  const key: MailByAddress = { eventId, kind: 'payment_search', recipient: { email }, language };
  return sendOnce(deps, key, email, content);
}

/** The state of the account of the address. */
export type SearchedAccount =
  /** The webhook created the account: a link to choose a password was mailed. */
  | { state: 'needs_password' }
  /** Has access until then; null for as long as the service is free. */
  | { state: 'active'; until: Date | null; hasPassword: boolean }
  | { state: 'expired'; endedAt: Date | null }
  /** No access now; paid days begin then. */
  | { state: 'waiting'; beginsAt: Date }
  | { state: 'disabled' }
  | { state: 'none' };

async function accountOf(
  { db, identity }: SignInMailDeps,
  email: string,
): Promise<SearchedAccount> {
  const account = await findAccountByEmail(db, email);
  if (!account || account.state === 'deleted') return { state: 'none' };
  if (account.state === 'disabled') return { state: 'disabled' };
  const { service_expires_at: end, is_active: isActive } = account;
  const user = await identity.findByUid(account.uid);
  if (user && !user.hasPassword && !user.hasSignedIn) return { state: 'needs_password' };
  if (!isActive) {
    const [waiting] = await readWaitingDays(db, account.id);
    if (waiting) return { state: 'waiting', beginsAt: waiting.begins_at };
    return { state: 'expired', endedAt: end };
  }
  const until = end && end > new Date() ? end : null;
  return { state: 'active', until, hasPassword: user?.hasPassword ?? false };
}

/** The outcome of a payment. */
export type PaymentOutcome =
  | 'settled'
  | 'refunded'
  | 'disputed'
  | 'processing'
  | 'requires_action'
  | 'declined'
  | 'not_paid'
  | 'cancelled'
  /** Paid, and an administrator must look at it. */
  | 'stuck';

function outcomeOf(payment: FoundPayment): PaymentOutcome {
  const { state, intent_status: status, dispute, refunded_ore, amount_ore, declined } = payment;
  if (refunded_ore >= amount_ore) return 'refunded';
  if (dispute === 'open' || dispute === 'lost') return 'disputed';
  if (state === 'settled') return 'settled';
  if (status === 'succeeded') return 'stuck';
  if (state === 'cancelled') return 'cancelled';
  if (status === 'processing') return 'processing';
  if (status === 'requires_action') return 'requires_action';
  return declined ? 'declined' : 'not_paid';
}

export interface SearchFacts {
  account: SearchedAccount;
  /** Newest first. */
  payments: { begunAt: Date; amountOre: number; serviceDays: number; outcome: PaymentOutcome }[];
  /** The pages of packets of codes that were bought. */
  packetUrls: string[];
}

const WAIT: Record<AppLanguage, Block> = {
  no: { paragraph: 'Ikke betal på nytt før dette er ferdig.' },
  en: { paragraph: 'Do not pay again before this is done.' },
};

const OPENING: Record<AppLanguage, string> = {
  no:
    'Vi ble bedt om å lete etter en betaling med denne e-postadressen. Hvis det ikke var du ' +
    'som ba om det, trenger du ikke å gjøre noe.',
  en:
    'We were asked to look for a payment under this email address. If it was not you who asked, ' +
    'you do not need to do anything.',
};

type Answer = (facts: SearchFacts, addresses: MailAddresses) => MailText;

const NO_PAYMENT: Record<AppLanguage, Block> = {
  no: { paragraph: 'Vi fant ingen betaling med denne e-postadressen de siste 30 dagene.' },
  en: { paragraph: 'We found no payment under this email address in the last 30 days.' },
};

const NO_CONTACT: Record<AppLanguage, Block> = {
  no: {
    paragraph:
      'Kanskje brukte du en annen e-postadresse? Prøv å lete med den. Hvis pengene er trukket ' +
      'fra kontoen din, svarer du på denne e-posten. Skriv dato og beløp, men aldri kortnummeret.',
  },
  en: {
    paragraph:
      'Maybe you used another email address? Try to search with that one. If the money has been ' +
      'taken from your account, reply to this email. Write the date and the amount, but never the ' +
      'card number.',
  },
};

const ANSWERS: Record<AppLanguage, Answer> = {
  no({ account, payments }, { publicUrl }) {
    switch (account.state) {
      case 'needs_password':
        return {
          subject: 'Vi fant betalingen din',
          blocks: [
            {
              paragraph:
                'Kontoen din er klar, men du har ikke valgt passord ennå. Vi har sendt deg en egen ' +
                'e-post med en lenke. Bruk lenken til å velge passord. Hvis du ikke finner e-posten, se ' +
                'i søppelposten.',
            },
            { link: 'Logg inn når du har valgt passord', url: `${publicUrl}/login` },
          ],
        };
      case 'active':
        return {
          subject: 'Du har tilgang til Prøveklar',
          blocks: [
            {
              paragraph: account.until
                ? `Tilgangen din varer til ${formatMoment(account.until, 'no')}. Logg inn med denne ` +
                  'e-postadressen.'
                : 'Prøveklar er gratis nå. Logg inn med denne e-postadressen.',
            },
            ...(account.hasPassword
              ? []
              : [{ paragraph: 'Du har ikke noe passord hos oss. Velg «Logg inn med Google».' }]),
            { link: 'Logg inn', url: `${publicUrl}/login` },
            { link: 'Glemt passordet', url: `${publicUrl}/login?mode=reset` },
          ],
        };
      case 'expired':
        return {
          subject: 'Hva som skjedde med betalingen din',
          blocks: [
            {
              paragraph: account.endedAt
                ? `Du har en konto hos oss, men tilgangen sluttet ${formatMoment(account.endedAt, 'no')}.`
                : 'Du har en konto hos oss, men ingen tilgang ennå.',
            },
            ...(payments.length > 0 ? [] : [NO_PAYMENT.no]),
            { link: 'Logg inn og kjøp flere dager', url: `${publicUrl}/quiz/billing` },
          ],
        };
      case 'waiting':
        return {
          subject: 'Vi fant betalingen din',
          blocks: [
            {
              paragraph:
                `Dagene du har betalt for, begynner ${formatMoment(account.beginsAt, 'no')}. Da er ` +
                'fristen for å angre over. Du trenger ikke å betale på nytt.',
            },
            { link: 'Logg inn og se kontoen din', url: `${publicUrl}/login` },
          ],
        };
      case 'disabled':
        return {
          subject: 'Kontoen din er stengt',
          blocks: [
            { paragraph: 'Kontoen din er stengt. Svar på denne e-posten, så hjelper vi deg.' },
          ],
        };
      case 'none':
        break;
    }
    if (payments.length === 0) {
      return { subject: 'Vi fant ingen betaling', blocks: [NO_PAYMENT.no, NO_CONTACT.no] };
    }
    return {
      subject: 'Hva som skjedde med betalingen din',
      blocks: [
        {
          paragraph:
            'Vi fant dette. Hvis du ser et beløp som er reservert i nettbanken, men ikke trukket, ' +
            'blir det borte av seg selv etter noen dager.',
        },
        { link: 'Her kan du prøve på nytt', url: `${publicUrl}/login` },
      ],
    };
  },
  en({ account, payments }, { publicUrl }) {
    switch (account.state) {
      case 'needs_password':
        return {
          subject: 'We found your payment',
          blocks: [
            {
              paragraph:
                'Your account is ready, but you have not chosen a password yet. We have sent you a ' +
                'separate email with a link. Use the link to choose a password. If you cannot find ' +
                'the email, look in your spam folder.',
            },
            { link: 'Sign in when you have chosen a password', url: `${publicUrl}/login` },
          ],
        };
      case 'active':
        return {
          subject: 'You have access to Prøveklar',
          blocks: [
            {
              paragraph: account.until
                ? `Your access lasts until ${formatMoment(account.until, 'en')}. Sign in with this ` +
                  'email address.'
                : 'Prøveklar is free now. Sign in with this email address.',
            },
            ...(account.hasPassword
              ? []
              : [{ paragraph: 'You have no password with us. Choose “Sign in with Google”.' }]),
            { link: 'Sign in', url: `${publicUrl}/login` },
            { link: 'Forgotten your password', url: `${publicUrl}/login?mode=reset` },
          ],
        };
      case 'expired':
        return {
          subject: 'What became of your payment',
          blocks: [
            {
              paragraph: account.endedAt
                ? `You have an account with us, but your access ended on ${formatMoment(account.endedAt, 'en')}.`
                : 'You have an account with us, but no access yet.',
            },
            ...(payments.length > 0 ? [] : [NO_PAYMENT.en]),
            { link: 'Sign in and buy more days', url: `${publicUrl}/quiz/billing` },
          ],
        };
      case 'waiting':
        return {
          subject: 'We found your payment',
          blocks: [
            {
              paragraph:
                `The days you have paid for begin on ${formatMoment(account.beginsAt, 'en')}. The time ` +
                'to withdraw is over then. You do not need to pay again.',
            },
            { link: 'Sign in and see your account', url: `${publicUrl}/login` },
          ],
        };
      case 'disabled':
        return {
          subject: 'Your account is closed',
          blocks: [
            { paragraph: 'Your account is closed. Reply to this email and we will help you.' },
          ],
        };
      case 'none':
        break;
    }
    if (payments.length === 0) {
      return { subject: 'We found no payment', blocks: [NO_PAYMENT.en, NO_CONTACT.en] };
    }
    return {
      subject: 'What became of your payment',
      blocks: [
        {
          paragraph:
            'We found this. If your bank shows an amount that is reserved but not charged, it ' +
            'disappears after a few days.',
        },
        { link: 'Try again here', url: `${publicUrl}/login` },
      ],
    };
  },
};

/** The mail with the result of a payment search. */
export function paymentSearch(
  language: AppLanguage,
  facts: SearchFacts,
  addresses: MailAddresses,
): MailContent {
  const { packetUrls, payments, account } = facts;
  const isBuyerOnly = packetUrls.length > 0 && payments.length === 0 && account.state === 'none';
  const { subject, blocks } = isBuyerOnly
    ? { subject: FOUND_CODES[language], blocks: [] }
    : ANSWERS[language](facts, addresses);
  const opening = OPENING[language];
  return composeMail({
    language,
    subject,
    blocks: [
      { paragraph: opening },
      ...blocks.filter((block) => !('link' in block)),
      ...paymentFacts(facts, language),
      ...packetUrls.map((url) => ({ link: PACKET_PAGE[language], url })),
      ...(isPending(facts) ? [WAIT[language]] : blocks.filter((block) => 'link' in block)),
      questions(language, addresses.supportEmail),
    ],
  });
}

const FOUND_CODES: Record<AppLanguage, string> = {
  no: 'Vi fant kodene du har kjøpt',
  en: 'We found the codes you have bought',
};

const PACKET_PAGE: Record<AppLanguage, string> = {
  no: 'Siden til en pakke med koder som du har kjøpt',
  en: 'The page of a packet of codes that you have bought',
};

const OUTCOMES: Record<AppLanguage, Record<PaymentOutcome, (days: string) => string>> = {
  no: {
    settled: (days) => `Betalt. Du fikk ${days}.`,
    refunded: () => 'Betalt, og betalt tilbake til deg.',
    disputed: () => 'Betalt, men banken din har bedt om å få pengene tilbake.',
    processing: () => 'Banken er ikke ferdig. Tilgangen starter av seg selv når den er det.',
    requires_action: () => 'Ikke betalt: Banken venter på at du godkjenner. Ingenting er trukket.',
    declined: () => 'Ikke betalt: Banken avviste kortet. Ingenting er trukket.',
    not_paid: () => 'Ikke betalt. Ingenting er trukket.',
    cancelled: () => 'Avbrutt. Ingenting er trukket.',
    stuck: () => 'Betalt, men noe gikk galt. Svar på denne e-posten, så ordner vi det.',
  },
  en: {
    settled: (days) => `Paid. You were given ${days}.`,
    refunded: () => 'Paid, and paid back to you.',
    disputed: () => 'Paid, but your bank has asked for the money back.',
    processing: () =>
      'Your bank is still processing the payment. Your access starts automatically when it is done.',
    requires_action: () => 'Not paid: the bank waits for your approval. Nothing was charged.',
    declined: () => 'Not paid: the bank declined the card. Nothing was charged.',
    not_paid: () => 'Not paid. Nothing was charged.',
    cancelled: () => 'Cancelled. Nothing was charged.',
    stuck: () => 'Paid, but something went wrong. Reply to this email and we will sort it out.',
  },
};

function paymentFacts({ payments }: SearchFacts, language: AppLanguage): Block[] {
  if (payments.length === 0) return [];
  return [
    {
      facts: payments.map(({ begunAt, amountOre, serviceDays, outcome }) => [
        `${formatDate(begunAt, language)}, ${formatAmount(amountOre, language)}`,
        OUTCOMES[language][outcome](formatDays(serviceDays, language)),
      ]),
    },
  ];
}

/** Whether a payment may still give access: then the mail does not link to a card form. */
function isPending({ account, payments }: SearchFacts): boolean {
  if (account.state !== 'none' && account.state !== 'expired') return false;
  return payments.some(({ outcome }) => outcome === 'processing' || outcome === 'stuck');
}
