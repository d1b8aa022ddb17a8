import type { AppLanguage } from '@proveklar/contract/language.ts';
import { findDeletion, forgetDeletion } from '#accounts/account-deletion.ts';
import { withTransaction } from '#database/pool.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { composeMail, type MailContent } from '#mail/compose-mail.ts';
import {
  ACCOUNT_DELETED,
  currentAddresses,
  forgetMail,
  type MailAddresses,
  type MailDeps,
  type MailKey,
  type MailOutcome,
  sendOnce,
} from '#mail/send-once.ts';
import { greeting, type MailText, questions } from './wording.ts';

/**
 * Confirms to a learner by mail that their account is deleted. Their address is deleted with it, so a
 * second delivery of the event sends nothing.
 *
 * @returns `not_needed` when the mail was sent before
 */
export async function mailAccountDeleted(
  deps: MailDeps,
  { id: eventId, payload }: DeliveredEvent<'account.deleted'>,
): Promise<MailOutcome> {
  const deletion = await findDeletion(deps.db, payload.account_id);
  if (!deletion) return 'not_needed';
  const { email, language, by_administrator: byAdministrator } = deletion;
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const content = accountDeleted(language, { byAdministrator }, addresses);
  const key: MailKey = { eventId, kind: ACCOUNT_DELETED, recipient: { email }, language };
  const outcome = await sendOnce(deps, key, email, content);
  if (typeof outcome === 'object') return outcome;
  await withTransaction(deps.db, async (tx) => {
    await forgetDeletion(tx, payload.account_id);
    await forgetMail(tx, key);
  });
  return outcome;
}

interface DeletionFacts {
  /** An administrator deleted the account, not its learner. */
  byAdministrator: boolean;
}

type Wording = (facts: DeletionFacts, addresses: MailAddresses) => MailText;

const WORDING: Record<AppLanguage, Wording> = {
  no: ({ byAdministrator }, { publicUrl, supportEmail }) => ({
    subject: 'Kontoen din er slettet',
    blocks: [
      greeting('no', null),
      {
        paragraph:
          `${byAdministrator ? 'Vi' : 'Du'} har slettet kontoen din hos Prøveklar. ` +
          'Navnet ditt, e-postadressen, innloggingen, ' +
          'quizene, svarene og meldingene dine om spørsmål er borte.',
      },
      {
        paragraph:
          'Bokføringsloven sier at vi må ta vare på kvitteringer i fem år. Navnet ditt og ' +
          'e-postadressen din står ikke lenger på dem.',
      },
      {
        paragraph:
          'Dette er den siste e-posten fra oss. Når den er sendt, sletter vi også denne adressen.',
      },
      {
        link: 'Hvis du vil øve igjen en annen gang, kan du opprette en ny konto',
        url: `${publicUrl}/quiz`,
      },
      {
        paragraph: byAdministrator
          ? 'Hvis du ikke har gjort noe galt, får du tilbake penger for dagene som var igjen. Hvis du ' +
            `mener at vi tar feil, eller vil vite hvorfor, skriv til ${supportEmail}.`
          : `Var det ikke du som slettet kontoen? Skriv til ${supportEmail} med en gang.`,
      },
      questions('no', supportEmail),
    ],
  }),
  en: ({ byAdministrator }, { publicUrl, supportEmail }) => ({
    subject: 'Your account has been deleted',
    blocks: [
      greeting('en', null),
      {
        paragraph:
          `${byAdministrator ? 'We' : 'You'} have deleted your account with Prøveklar. ` +
          'Your name, your email address, your ' +
          'sign-in, your quizzes, your answers and your reports about questions are gone.',
      },
      {
        paragraph:
          'We have to keep receipts for five years under the Norwegian Bookkeeping Act. They no ' +
          'longer have your name or your email address.',
      },
      {
        paragraph:
          'This is the last email from us. Once it is sent, we delete this address as well.',
      },
      {
        link: 'If you want to practise again another time, make a new account',
        url: `${publicUrl}/quiz`,
      },
      {
        paragraph: byAdministrator
          ? 'If you have not done anything wrong, you get money back for the days that were left. If ' +
            `you think that we are wrong, or want to know why, write to ${supportEmail}.`
          : `Was it not you who deleted the account? Write to ${supportEmail} at once.`,
      },
      questions('en', supportEmail),
    ],
  }),
};

/** The mail to a learner whose account is deleted: what is gone, what is kept and why. */
function accountDeleted(
  language: AppLanguage,
  facts: DeletionFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}
