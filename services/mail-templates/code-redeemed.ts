import type { AppLanguage } from '@proveklar/contract/language.ts';
import { readAccount } from '#accounts/account.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { composeMail } from '#mail/compose-mail.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailDeps,
  type MailOutcome,
  sendOnce,
} from '#mail/send-once.ts';
import { formatMoment, greeting, type MailText, questions } from './wording.ts';

/**
 * Mails the owner of an account that a code has given it days: another person may have registered under the address.
 *
 * @returns `no_recipient` when the account was disabled or deleted meanwhile
 */
export async function mailRedeemedCode(
  deps: MailDeps,
  { id: eventId, payload }: DeliveredEvent<'code.redeemed'>,
): Promise<MailOutcome> {
  const account = await readAccount(deps.db, payload.account_id);
  const { id: accountId, state, email, language, display_name: name } = account;
  const accessUntil = account.service_expires_at;
  if (state !== 'active' || !accessUntil) return 'no_recipient';
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const content = composeMail({ language, ...WORDING[language]({ name, accessUntil }, addresses) });
  const key = { eventId, kind: 'code_redeemed', recipient: { accountId }, language };
  return sendOnce(deps, key, email, content);
}

interface RedeemedFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  accessUntil: Date;
}

type Wording = (facts: RedeemedFacts, addresses: MailAddresses) => MailText;

const WORDING: Record<AppLanguage, Wording> = {
  no: ({ name, accessUntil }, { publicUrl, supportEmail }) => ({
    subject: 'Koden er brukt',
    blocks: [
      greeting('no', name),
      {
        paragraph:
          `En kode er brukt på kontoen din. Tilgangen varer til ${formatMoment(accessUntil, 'no')}. ` +
          'Du har ikke betalt noe, og tilgangen slutter av seg selv.',
      },
      {
        paragraph:
          'Kjøperen ser bare at koden er brukt. Kjøperen ser ikke at det er du som har brukt den, og ikke ' +
          'hvordan du svarer.',
      },
      { link: 'Her kan du øve', url: `${publicUrl}/quiz` },
      questions('no', supportEmail),
    ],
  }),
  en: ({ name, accessUntil }, { publicUrl, supportEmail }) => ({
    subject: 'The code has been used',
    blocks: [
      greeting('en', name),
      {
        paragraph:
          `A code has been used for your account. Your access lasts until ${formatMoment(accessUntil, 'en')}. ` +
          'You have paid nothing, and your access ends automatically.',
      },
      {
        paragraph:
          'The buyer of the code sees only that it has been used. They do not see that it was you who used it, ' +
          'nor how you answer.',
      },
      { link: 'Practise here', url: `${publicUrl}/quiz` },
      questions('en', supportEmail),
    ],
  }),
};
