import type { AppLanguage } from '@proveklar/contract/language.ts';
import { readAccount } from '#accounts/account.ts';
import { readNote } from '#audit/record-action.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { type Block, composeMail, type MailContent } from '#mail/compose-mail.ts';
import { oneLine } from '#mail/format.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailOutcome,
  sendOnce,
  type SignInMailDeps,
} from '#mail/send-once.ts';
import { provenAddress } from './proven-address.ts';
import { greeting, type MailText } from './wording.ts';

/**
 * Mails a learner that an administrator has disabled their account, with the reason, if any.
 *
 * @returns `not_needed` when the account is enabled again, `no_recipient` when it was deleted, or when its
 *   address is neither verified nor that of a payment
 * @throws AppError `identity_provider_failed`
 */
export async function mailAccountDisabled(
  deps: SignInMailDeps,
  { id: eventId, payload }: DeliveredEvent<'account.disabled'>,
): Promise<MailOutcome> {
  const account = await readAccount(deps.db, payload.account_id);
  if (account.state === 'active') return 'not_needed';
  const to = account.state === 'disabled' ? await provenAddress(deps, account) : null;
  if (to === null) return 'no_recipient';
  const { id: accountId, language, display_name: name } = account;
  const reason = await readNote(deps.db, payload.entry_id);
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const content = accountDisabled(language, { name, reason }, addresses);
  const key = { eventId, kind: 'account_disabled', recipient: { accountId }, language };
  return sendOnce(deps, key, to, content);
}

interface DisabledFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  /** As an administrator typed it; null for none. */
  reason: string | null;
}

type Wording = (facts: DisabledFacts, addresses: MailAddresses) => MailText;

const WORDING: Record<AppLanguage, Wording> = {
  no: ({ name, reason }, { publicUrl, supportEmail }) => ({
    subject: 'Kontoen din er stengt',
    blocks: [
      greeting('no', name),
      { paragraph: 'Vi har stengt kontoen din hos Prøveklar. Du kan ikke logge inn.' },
      ...reasonBlocks('Grunnen er', reason),
      {
        paragraph:
          'Quizene og resultatene dine er ikke slettet. Hvis vi åpner kontoen igjen, er de der.',
      },
      {
        paragraph:
          'Hvis du ikke har gjort noe galt, får du tilbake penger for dagene som er igjen. Hvis du ' +
          `mener at vi tar feil, eller vil vite mer, skriv til ${supportEmail}.`,
      },
      { link: 'Vilkårene våre', url: `${publicUrl}/vilkar` },
    ],
  }),
  en: ({ name, reason }, { publicUrl, supportEmail }) => ({
    subject: 'Your account is closed',
    blocks: [
      greeting('en', name),
      { paragraph: 'We have closed your account with Prøveklar. You cannot sign in.' },
      ...reasonBlocks('The reason is', reason),
      {
        paragraph:
          'Your quizzes and results are not deleted. If we open the account again, they are there.',
      },
      {
        paragraph:
          'If you have not done anything wrong, you get money back for the days that are left. If ' +
          `you think that we are wrong, or want to know more, write to ${supportEmail}.`,
      },
      { link: 'Our terms', url: `${publicUrl}/vilkar` },
    ],
  }),
};

function reasonBlocks(name: string, reason: string | null): Block[] {
  return reason === null ? [] : [{ facts: [[name, oneLine(reason)]] }];
}

/** The mail to a learner whose account was disabled: why, and what they can do. */
function accountDisabled(
  language: AppLanguage,
  facts: DisabledFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}
