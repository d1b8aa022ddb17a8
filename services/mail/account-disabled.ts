import type { Language } from '#accounts/language.ts';
import { composeMail, type Block, type MailContent } from './compose-mail.ts';
import { oneLine } from './format.ts';
import type { MailAddresses } from './payment-confirmation.ts';
import { greeting, type Letter } from './wording.ts';

export interface DisabledFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  /** As an administrator typed it; null for none. */
  reason: string | null;
}

/** Tells a learner that an administrator has closed their account, why, and what they can do. */
export function accountDisabled(
  language: Language,
  facts: DisabledFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}

type Wording = (facts: DisabledFacts, addresses: MailAddresses) => Letter;

const WORDING: Record<Language, Wording> = {
  no: ({ name, reason }, { publicUrl, supportEmail }) => ({
    subject: 'Kontoen din er stengt',
    blocks: [
      greeting('no', name),
      { paragraph: 'Vi har stengt kontoen din hos Prøveklar. Du kan ikke logge inn.' },
      ...why('Grunnen er', reason),
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
      ...why('The reason is', reason),
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

function why(name: string, reason: string | null): Block[] {
  return reason === null ? [] : [{ facts: [[name, oneLine(reason)]] }];
}
