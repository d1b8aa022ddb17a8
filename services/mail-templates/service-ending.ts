import type { AppLanguage } from '@proveklar/contract/language.ts';
import { readAccount } from '#accounts/account.ts';
import { type Credit, readCredits } from '#accounts/credit-ledger.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { composeMail, type MailContent } from '#mail/compose-mail.ts';
import { formatDate } from '#mail/format.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailDeps,
  type MailOutcome,
  sendOnce,
} from '#mail/send-once.ts';
import { readSettings } from '#settings/settings.ts';
import { formatMoment, greeting, type MailText, questions } from './wording.ts';

/** A shorter service needs no reminder: its learner still knows when it ends. */
const MIN_SERVICE_MS = 5 * 24 * 60 * 60 * 1000;
/** Tolerance for microseconds that a JavaScript date loses. */
const ROUNDING_MS = 1000;

/**
 * Mails a learner that their access ends soon. Checks the conditions of the event again, because the mail
 * may have waited in the queue.
 *
 * @returns `not_needed` when the end has moved, will move or has passed, or the service is free now or was
 *   short
 */
export async function mailServiceEnding(
  deps: MailDeps,
  { id: eventId, payload }: DeliveredEvent<'service.ending'>,
): Promise<MailOutcome> {
  const account = await readAccount(deps.db, payload.account_id);
  const { price_ore } = await readSettings(deps.db);
  const end = new Date(payload.expires_at);
  if (account.state !== 'active') return 'no_recipient';
  if (price_ore === 0 || end <= new Date()) return 'not_needed';
  const moved = Math.abs((account.service_expires_at?.getTime() ?? 0) - end.getTime());
  if (moved >= ROUNDING_MS) return 'not_needed';
  const credits = await readCredits(deps.db, account.id);
  const isExtended = credits.some(
    (credit) =>
      credit.is_waiting &&
      credit.days > credit.days_taken_back &&
      credit.starts_at.getTime() < end.getTime() + ROUNDING_MS,
  );
  if (isExtended) return 'not_needed';
  const start = startOfService(credits.filter((credit) => !credit.is_waiting));
  if (end.getTime() - start < MIN_SERVICE_MS) return 'not_needed';
  const { id: accountId, language, display_name: name } = account;
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const content = serviceEnding(language, { name, expiresAt: end }, addresses);
  const key = { eventId, kind: 'service_ending', recipient: { accountId }, language };
  return sendOnce(deps, key, account.email, content);
}

/** The start of the current service period, which runs without a gap to its end. */
function startOfService(credits: Credit[]): number {
  let [start, end] = [0, 0];
  for (const { starts_at, ends_at } of credits) {
    if (starts_at.getTime() > end) start = starts_at.getTime();
    end = Math.max(end, ends_at.getTime());
  }
  return start;
}

interface EndingFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  expiresAt: Date;
}

type Wording = (facts: EndingFacts, addresses: MailAddresses) => MailText;

const WORDING: Record<AppLanguage, Wording> = {
  no: ({ name, expiresAt }, { publicUrl, supportEmail }) => ({
    subject: `Tilgangen din slutter ${formatDate(expiresAt, 'no')}`,
    blocks: [
      greeting('no', name),
      { facts: [['Tilgangen din varer til', formatMoment(expiresAt, 'no')]] },
      {
        paragraph:
          'Du har ikke et abonnement. Vi trekker ingen penger, og du trenger ikke å si opp.',
      },
      {
        paragraph:
          'Resultatene dine blir på kontoen din. Hvis du vil øve lenger, kan du kjøpe flere dager. De ' +
          'legges til dagene du har igjen.',
      },
      { link: 'Her kan du forlenge', url: `${publicUrl}/quiz/billing` },
      {
        paragraph:
          'Dette er en melding om tilgangen du har kjøpt, ikke reklame. Du får den én gang før ' +
          'tilgangen slutter. Hvis du ikke forlenger, får du ikke flere slike e-poster.',
      },
      questions('no', supportEmail),
    ],
  }),
  en: ({ name, expiresAt }, { publicUrl, supportEmail }) => ({
    subject: `Your access ends on ${formatDate(expiresAt, 'en')}`,
    blocks: [
      greeting('en', name),
      { facts: [['Your access lasts until', formatMoment(expiresAt, 'en')]] },
      {
        paragraph:
          'You do not have a subscription. We do not take any money, and you do not need to cancel.',
      },
      {
        paragraph:
          'Your results stay in your account. If you want to practise for longer, you can buy more ' +
          'days. They are added to the days you have left.',
      },
      { link: 'Extend here', url: `${publicUrl}/quiz/billing` },
      {
        paragraph:
          'This is a message about the access you bought, not advertising. You get it once before ' +
          'your access ends. If you do not extend, you will get no more emails like this.',
      },
      questions('en', supportEmail),
    ],
  }),
};

/**
 * The mail to a learner whose access ends soon. It is a message about a purchase and not advertising, so it
 * has no price and no offer, and needs no consent (markedsføringsloven § 15).
 */
export function serviceEnding(
  language: AppLanguage,
  facts: EndingFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}
