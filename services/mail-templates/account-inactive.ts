import type { AppLanguage } from '@proveklar/contract/language.ts';
import { readAccount } from '#accounts/account.ts';
import { readInactivity, recordWarned } from '#accounts/inactivity.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { composeMail, type MailContent } from '#mail/compose-mail.ts';
import { formatDate } from '#mail/format.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailOutcome,
  sendOnce,
  type SignInMailDeps,
} from '#mail/send-once.ts';
import { provenAddress } from './proven-address.ts';
import { greeting, type MailText, questions } from './wording.ts';

/**
 * Warns a learner that their account will be deleted, because they do not use it. The month until then begins
 * when the mail is sent, or cannot be: an address that refuses it is not written to again.
 *
 * @returns `not_needed` when the account is used again or has days; `no_recipient` when its address is neither
 *   verified nor that of a payment
 * @throws AppError `identity_provider_failed`
 */
export async function mailAccountInactive(
  deps: SignInMailDeps,
  { id: eventId, payload }: DeliveredEvent<'account.inactive'>,
): Promise<MailOutcome> {
  const account = await readAccount(deps.db, payload.account_id);
  const inactivity = await readInactivity(deps.db, account.id);
  if (account.state === 'deleted' || !inactivity) return 'not_needed';
  const { id: accountId, language, display_name: name } = account;
  const to = await provenAddress(deps, account);
  if (to === null) {
    await recordWarned(deps.db, accountId);
    return 'no_recipient';
  }
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const facts = { name, ...inactivity, isClosed: account.state === 'disabled' };
  const content = accountInactive(language, facts, addresses);
  const key = { eventId, kind: 'account_inactive', recipient: { accountId }, language };
  const outcome = await sendOnce(deps, key, to, content);
  if (typeof outcome !== 'object') await recordWarned(deps.db, accountId);
  return outcome;
}

interface InactiveFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  lastSeenOn: Date;
  deletedOn: Date;
  /** An administrator closed the account, so the learner cannot sign in. */
  isClosed: boolean;
}

type Wording = (facts: InactiveFacts, addresses: MailAddresses) => MailText;

const WORDING: Record<AppLanguage, Wording> = {
  no: ({ name, lastSeenOn, deletedOn, isClosed }, { publicUrl, supportEmail }) => ({
    subject: `Vi sletter kontoen din ${formatDate(deletedOn, 'no')}`,
    blocks: [
      greeting('no', name),
      {
        paragraph:
          `Du har ikke brukt kontoen din hos Prøveklar siden ${formatDate(lastSeenOn, 'no')}. Vi tar ` +
          'ikke vare på opplysninger lenger enn vi trenger, og sletter kontoer som ikke er brukt på to år.',
      },
      isClosed
        ? {
            paragraph:
              'Kontoen din er stengt, så du kan ikke logge inn. Hvis du vil beholde den, skriv til ' +
              `${supportEmail} før ${formatDate(deletedOn, 'no')}.`,
          }
        : {
            link: `Hvis du vil beholde kontoen, logg inn før ${formatDate(deletedOn, 'no')}`,
            url: `${publicUrl}/login`,
          },
      {
        paragraph:
          'Hvis du ikke vil ha kontoen, trenger du ikke å gjøre noe. Da sletter vi navnet ditt, ' +
          'e-postadressen, innloggingen, quizene og svarene dine.',
      },
      questions('no', supportEmail),
    ],
  }),
  en: ({ name, lastSeenOn, deletedOn, isClosed }, { publicUrl, supportEmail }) => ({
    subject: `We will delete your account on ${formatDate(deletedOn, 'en')}`,
    blocks: [
      greeting('en', name),
      {
        paragraph:
          `You have not used your account with Prøveklar since ${formatDate(lastSeenOn, 'en')}. We do ` +
          'not keep data for longer than we need it, and delete accounts that have not been used for two years.',
      },
      isClosed
        ? {
            paragraph:
              'Your account is closed, so you cannot sign in. If you want to keep it, write to ' +
              `${supportEmail} before ${formatDate(deletedOn, 'en')}.`,
          }
        : {
            link: `If you want to keep the account, sign in before ${formatDate(deletedOn, 'en')}`,
            url: `${publicUrl}/login`,
          },
      {
        paragraph:
          'If you do not want the account, you do not need to do anything. We then delete your name, ' +
          'your email address, your sign-in, your quizzes and your answers.',
      },
      questions('en', supportEmail),
    ],
  }),
};

/** The warning that an account will be deleted: since when it is not used, and how to keep it. */
function accountInactive(
  language: AppLanguage,
  facts: InactiveFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}
