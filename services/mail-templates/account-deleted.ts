import type { AppLanguage } from '@proveklar/contract/language.ts';
import { findDeletion, forgetDeletion } from '#accounts/account-deletion.ts';
import { withTransaction } from '#database/pool.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { type Block, composeMail, type MailContent } from '#mail/compose-mail.ts';
import {
  currentAddresses,
  forgetMail,
  type MailAddresses,
  type MailByAddress,
  type MailDeps,
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
  const { email, language } = deletion;
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const content = accountDeleted(language, deletedBy(deletion), addresses);
  const key: MailByAddress = { eventId, kind: 'account_deleted', recipient: { email }, language };
  const outcome = await sendOnce(deps, key, email, content);
  if (typeof outcome === 'object') return outcome;
  await withTransaction(deps.db, async (tx) => {
    await forgetDeletion(tx, payload.account_id);
    await forgetMail(tx, key);
  });
  return outcome;
}

/** Who deleted an account; `inactivity`: the service, because it was not used. */
type DeletedBy = 'learner' | 'administrator' | 'inactivity';

function deletedBy(deletion: { by_administrator: boolean; by_inactivity: boolean }): DeletedBy {
  if (deletion.by_inactivity) return 'inactivity';
  return deletion.by_administrator ? 'administrator' : 'learner';
}

type Wording = (by: DeletedBy, addresses: MailAddresses) => MailText;

const BEGINNINGS: Record<AppLanguage, Record<DeletedBy, string>> = {
  no: {
    learner: 'Du har slettet kontoen din hos Prøveklar. ',
    administrator: 'Vi har slettet kontoen din hos Prøveklar. ',
    inactivity: 'Vi har slettet kontoen din hos Prøveklar, fordi du ikke har brukt den på to år. ',
  },
  en: {
    learner: 'You have deleted your account with Prøveklar. ',
    administrator: 'We have deleted your account with Prøveklar. ',
    inactivity:
      'We have deleted your account with Prøveklar, because you have not used it for two years. ',
  },
};

/** What a learner can do who does not agree. */
function objection(language: AppLanguage, by: DeletedBy, supportEmail: string): Block[] {
  if (by === 'inactivity') return [];
  const texts = {
    no: {
      administrator:
        'Hvis du ikke har gjort noe galt, får du tilbake penger for dagene som var igjen. Hvis du ' +
        `mener at vi tar feil, eller vil vite hvorfor, skriv til ${supportEmail}.`,
      learner: `Var det ikke du som slettet kontoen? Skriv til ${supportEmail} med en gang.`,
    },
    en: {
      administrator:
        'If you have not done anything wrong, you get money back for the days that were left. If ' +
        `you think that we are wrong, or want to know why, write to ${supportEmail}.`,
      learner: `Was it not you who deleted the account? Write to ${supportEmail} at once.`,
    },
  };
  return [{ paragraph: texts[language][by] }];
}

const WORDING: Record<AppLanguage, Wording> = {
  no: (by, { publicUrl, supportEmail }) => ({
    subject: 'Kontoen din er slettet',
    blocks: [
      greeting('no', null),
      {
        paragraph:
          BEGINNINGS.no[by] +
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
      ...objection('no', by, supportEmail),
      questions('no', supportEmail),
    ],
  }),
  en: (by, { publicUrl, supportEmail }) => ({
    subject: 'Your account has been deleted',
    blocks: [
      greeting('en', null),
      {
        paragraph:
          BEGINNINGS.en[by] +
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
        link: 'If you want to practise again another time, create a new account',
        url: `${publicUrl}/quiz`,
      },
      ...objection('en', by, supportEmail),
      questions('en', supportEmail),
    ],
  }),
};

/** The mail to a learner whose account is deleted: what is gone, what is kept and why. */
function accountDeleted(
  language: AppLanguage,
  by: DeletedBy,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](by, addresses) });
}
