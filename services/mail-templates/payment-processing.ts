import type { AppLanguage } from '@proveklar/contract/language.ts';
import { readAccount } from '#accounts/account.ts';
import type { Database } from '#database/pool.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { type Block, composeMail, type MailContent } from '#mail/compose-mail.ts';
import { formatAmount } from '#mail/format.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailByAddress,
  type MailDeps,
  type MailOutcome,
  sendOnce,
} from '#mail/send-once.ts';
import { findPayment, type Payment } from '#payments/payment.ts';
import { formatDays, greeting, type MailText, questions } from './wording.ts';

// The two mails about a payment that its bank processes: that it takes its time, and that it failed. When it
// succeeds, the confirmation is mailed (`payment-confirmation.ts`).

/** Most payments are processed within seconds, while their payer looks at the page. */
const PATIENCE_MS = 60_000;
/** Most are done by then, and their event with them. */
const LOOK_AGAIN_MS = 10_000;

/**
 * Mails the payer that the bank is still processing the payment, so that they do not pay again.
 *
 * @returns `not_needed` when it is done meanwhile; `retryInMs` until it has taken longer than a moment
 */
export async function mailProcessingPayment(
  deps: MailDeps,
  { id: eventId, payload }: DeliveredEvent<'payment.processing'>,
): Promise<MailOutcome> {
  const payment = await findPayment(deps.db, payload.payment_id);
  if (payment?.state !== 'open' || payment.intent_status !== 'processing') return 'not_needed';
  const leftMs = PATIENCE_MS - (await millisecondsSince(deps.db, payload.since));
  if (leftMs > 0) return { retryInMs: Math.min(leftMs, LOOK_AGAIN_MS) };
  return mailPayer(deps, payment, { eventId, kind: 'payment_processing' }, paymentProcessing);
}

/** By PostgreSQL's clock, which also set the time: that of a process may be wrong. */
async function millisecondsSince(db: Database, time: string): Promise<number> {
  const { rows } = await db.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp() - $1::timestamptz)::float8 * 1000 as ms',
    [time],
  );
  return rows[0]!.ms;
}

/**
 * Mails the payer that a payment failed after the bank had begun to process it, and that nothing was charged.
 *
 * @returns `not_needed` when it was tried again meanwhile
 */
export async function mailFailedPayment(
  deps: MailDeps,
  { id: eventId, payload }: DeliveredEvent<'payment.failed'>,
): Promise<MailOutcome> {
  const payment = await findPayment(deps.db, payload.payment_id);
  const { state, intent_status: status } = payment ?? {};
  const isTriedAgain = status === 'processing' || status === 'succeeded';
  if (!payment || state === 'settled' || isTriedAgain) return 'not_needed';
  return mailPayer(deps, payment, { eventId, kind: 'payment_failed' }, paymentFailed);
}

async function mailPayer(
  deps: MailDeps,
  payment: Payment,
  key: Pick<MailByAddress, 'eventId' | 'kind'>,
  write: typeof paymentProcessing,
): Promise<MailOutcome> {
  const payer = await findPayer(deps.db, payment);
  if (!payer) return 'no_recipient';
  const { recipient, email, language, name } = payer;
  const { purpose, amount_ore: amountOre, service_days: serviceDays } = payment;
  const facts = { name, purpose, amountOre, serviceDays };
  const content = write(language, facts, await currentAddresses(deps.db, deps.addresses));
  return sendOnce(deps, { ...key, recipient, language }, email, content);
}

/** A registration that is not paid has no account yet. */
async function findPayer(db: Database, payment: Payment) {
  const { account_id, email, language, username } = payment;
  if (!account_id) return email ? { recipient: { email }, email, language, name: username } : null;
  const account = await readAccount(db, account_id);
  if (account.state === 'deleted') return null;
  return {
    recipient: { accountId: account_id },
    email: account.email,
    language: account.language,
    name: account.display_name,
  };
}

interface UnsettledFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  purpose: Payment['purpose'];
  /** Øre, including VAT. */
  amountOre: number;
  serviceDays: number;
}

const WHAT: Record<AppLanguage, (facts: UnsettledFacts) => Block> = {
  no: ({ purpose, amountOre, serviceDays }) => ({
    facts: [
      [
        'Kjøp',
        purpose === 'packet'
          ? 'Koder til Prøveklar'
          : `Tilgang til Prøveklar i ${formatDays(serviceDays, 'no')}`,
      ],
      ['Beløp', formatAmount(amountOre, 'no')],
    ],
  }),
  en: ({ purpose, amountOre, serviceDays }) => ({
    facts: [
      [
        'Purchase',
        purpose === 'packet'
          ? 'Codes for Prøveklar'
          : `Access to Prøveklar for ${formatDays(serviceDays, 'en')}`,
      ],
      ['Amount', formatAmount(amountOre, 'en')],
    ],
  }),
};

/** Where to pay again: a registration has no account to sign in to. */
const PLACE_TO_PAY = {
  registration: '/quiz?mode=register',
  extension: '/quiz/billing',
  packet: '/skoler',
} as const;

/** What to do if the purchase is still wanted. */
const AGAIN = {
  no: {
    registration: 'Hvis du fortsatt vil øve, kan du registrere deg og betale på nytt.',
    extension: 'Hvis du fortsatt vil ha flere dager, kan du betale på nytt.',
    packet: 'Hvis du fortsatt vil ha kodene, kan du betale på nytt.',
  },
  en: {
    registration: 'If you still want to practise, you can register and pay again.',
    extension: 'If you still want more days, you can pay again.',
    packet: 'If you still want the codes, you can pay again.',
  },
} as const;

type Wording = (facts: UnsettledFacts, addresses: MailAddresses) => MailText;

const PROCESSING: Record<AppLanguage, Wording> = {
  no: (facts, { supportEmail }) => ({
    subject: 'Banken behandler betalingen din',
    blocks: [
      greeting('no', facts.name),
      {
        paragraph:
          'Banken har ikke fullført betalingen din ennå. Det kan ta fra noen minutter til noen dager. ' +
          'Ikke betal på nytt. Du får en e-post når betalingen er ferdig, også hvis den ikke går gjennom.',
      },
      WHAT.no(facts),
      questions('no', supportEmail),
    ],
  }),
  en: (facts, { supportEmail }) => ({
    subject: 'Your bank is processing your payment',
    blocks: [
      greeting('en', facts.name),
      {
        paragraph:
          'The bank has not completed your payment yet. It can take from some minutes to some days. ' +
          'Do not pay again. You get an email when the payment is done, even if it does not go through.',
      },
      WHAT.en(facts),
      questions('en', supportEmail),
    ],
  }),
};

const FAILED: Record<AppLanguage, Wording> = {
  no: (facts, { publicUrl, supportEmail }) => ({
    subject: 'Betalingen gikk ikke gjennom',
    blocks: [
      greeting('no', facts.name),
      {
        paragraph:
          'Banken fullførte ikke betalingen din. Ingen penger er trukket. Hvis du ser et reservert beløp i ' +
          'nettbanken, blir det borte etter noen dager.',
      },
      WHAT.no(facts),
      {
        paragraph: AGAIN.no[facts.purpose],
      },
      { link: 'Prøv igjen', url: publicUrl + PLACE_TO_PAY[facts.purpose] },
      questions('no', supportEmail),
    ],
  }),
  en: (facts, { publicUrl, supportEmail }) => ({
    subject: 'Your payment did not go through',
    blocks: [
      greeting('en', facts.name),
      {
        paragraph:
          'The bank did not complete your payment. You were not charged. If you see a reserved amount in ' +
          'your online bank, it will be gone after a few days.',
      },
      WHAT.en(facts),
      {
        paragraph: AGAIN.en[facts.purpose],
      },
      { link: 'Try again', url: publicUrl + PLACE_TO_PAY[facts.purpose] },
      questions('en', supportEmail),
    ],
  }),
};

/** The mail that the bank is still processing a payment. */
function paymentProcessing(
  language: AppLanguage,
  facts: UnsettledFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...PROCESSING[language](facts, addresses) });
}

/** The mail that a payment failed, and that nothing was charged. */
function paymentFailed(
  language: AppLanguage,
  facts: UnsettledFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...FAILED[language](facts, addresses) });
}
