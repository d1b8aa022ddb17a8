import type { Language } from '#accounts/language.ts';
import { composeMail, type MailContent } from './compose-mail.ts';
import type { MailAddresses } from './payment-confirmation.ts';
import { greeting, questions, type Letter } from './wording.ts';

/**
 * Tells a learner that an administrator has opened their account again.
 *
 * @param name as the learner typed it; null for none
 */
export function accountEnabled(
  language: Language,
  name: string | null,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](name, addresses) });
}

type Wording = (name: string | null, addresses: MailAddresses) => Letter;

const WORDING: Record<Language, Wording> = {
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
