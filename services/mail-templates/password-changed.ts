import type { AppLanguage } from '@proveklar/contract/language.ts';
import { readAccount } from '#accounts/account.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { composeMail, type MailContent } from '#mail/compose-mail.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailDeps,
  type MailOutcome,
  sendOnce,
} from '#mail/send-once.ts';
import { formatMoment, greeting, type MailText } from './wording.ts';

/**
 * Mails a learner that the password was changed, in case it was not the learner.
 *
 * @returns `no_recipient` when the account was disabled or deleted meanwhile
 */
export async function mailPasswordChanged(
  deps: MailDeps,
  { id: eventId, payload }: DeliveredEvent<'password.changed'>,
): Promise<MailOutcome> {
  const account = await readAccount(deps.db, payload.account_id);
  if (account.state !== 'active') return 'no_recipient';
  const { id: accountId, email, language, display_name: name } = account;
  const facts = { name, changedAt: new Date(payload.changed_at) };
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const key = { eventId, kind: 'password_changed', recipient: { accountId }, language };
  return sendOnce(deps, key, email, passwordChanged(language, facts, addresses));
}

interface ChangeFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  changedAt: Date;
}

type Wording = (facts: ChangeFacts, addresses: MailAddresses) => MailText;

const WORDING: Record<AppLanguage, Wording> = {
  no: ({ name, changedAt }, { publicUrl, supportEmail }) => ({
    subject: 'Passordet ditt er endret',
    blocks: [
      greeting('no', name),
      {
        paragraph:
          `Passordet ditt til Prøveklar ble endret ${formatMoment(changedAt, 'no')}. ` +
          'Alle enheter som var logget inn, er logget ut.',
      },
      { paragraph: 'Var det du som gjorde det? Da trenger du ikke å gjøre noe.' },
      {
        paragraph:
          `Var det ikke deg? Velg et nytt passord med en gang, og skriv til ${supportEmail}. ` +
          'Bytt også passordet til e-posten din: Noen kan ha lest den.',
      },
      { link: 'Velg nytt passord', url: `${publicUrl}/login?mode=reset` },
    ],
  }),
  en: ({ name, changedAt }, { publicUrl, supportEmail }) => ({
    subject: 'Your password has been changed',
    blocks: [
      greeting('en', name),
      {
        paragraph:
          `Your password for Prøveklar was changed on ${formatMoment(changedAt, 'en')}. ` +
          'All devices that were signed in have been signed out.',
      },
      { paragraph: 'If you did this, you do not need to do anything.' },
      {
        paragraph:
          `If it was not you, choose a new password at once, and write to ${supportEmail}. ` +
          'Change the password of your email too: someone may have read it.',
      },
      { link: 'Choose a new password', url: `${publicUrl}/login?mode=reset` },
    ],
  }),
};

/** The mail to a learner whose password was changed. */
function passwordChanged(
  language: AppLanguage,
  facts: ChangeFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}
