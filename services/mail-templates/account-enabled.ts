import type { AppLanguage } from '@proveklar/contract/language.ts';
import { readAccount } from '#accounts/account.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { composeMail, type MailContent } from '#mail/compose-mail.ts';
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
 * Mails a learner that an administrator has enabled their account again.
 *
 * @returns as `mailAccountDisabled`; `not_needed` when it was disabled again
 * @throws AppError `identity_provider_failed`
 */
export async function mailAccountEnabled(
  deps: SignInMailDeps,
  { id: eventId, payload }: DeliveredEvent<'account.enabled'>,
): Promise<MailOutcome> {
  const account = await readAccount(deps.db, payload.account_id);
  if (account.state === 'disabled') return 'not_needed';
  const to = account.state === 'active' ? await provenAddress(deps, account) : null;
  if (to === null) return 'no_recipient';
  const { id: accountId, language, display_name: name } = account;
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const content = accountEnabled(language, name, addresses);
  const key = { eventId, kind: 'account_enabled', recipient: { accountId }, language };
  return sendOnce(deps, key, to, content);
}

type Wording = (name: string | null, addresses: MailAddresses) => MailText;

const WORDING: Record<AppLanguage, Wording> = {
  no: (name, { publicUrl, supportEmail }) => ({
    subject: 'Kontoen din er åpen igjen',
    blocks: [
      greeting('no', name),
      {
        paragraph:
          'Vi har åpnet kontoen din hos Prøveklar igjen. Du kan logge inn som før. Quizene og ' +
          'resultatene dine er der.',
      },
      { link: 'Logg inn', url: `${publicUrl}/login` },
      questions('no', supportEmail),
    ],
  }),
  en: (name, { publicUrl, supportEmail }) => ({
    subject: 'Your account is open again',
    blocks: [
      greeting('en', name),
      {
        paragraph:
          'We have opened your account with Prøveklar again. You can sign in as before. Your ' +
          'quizzes and results are there.',
      },
      { link: 'Sign in', url: `${publicUrl}/login` },
      questions('en', supportEmail),
    ],
  }),
};

/**
 * The mail to a learner whose account was enabled again.
 *
 * @param name as the learner typed it; null for none
 */
function accountEnabled(
  language: AppLanguage,
  name: string | null,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](name, addresses) });
}
