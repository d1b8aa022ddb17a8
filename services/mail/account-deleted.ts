import type { Language } from '#accounts/language.ts';
import { composeMail, type MailContent } from './compose-mail.ts';
import type { MailAddresses } from './payment-confirmation.ts';
import { greeting, questions, type Letter } from './wording.ts';

/** Confirms to somebody that their account is deleted: what is gone, what stays and why. */
export function accountDeleted(language: Language, addresses: MailAddresses): MailContent {
  return composeMail({ language, ...WORDING[language](addresses) });
}

type Wording = (addresses: MailAddresses) => Letter;

const WORDING: Record<Language, Wording> = {
  no: ({ publicUrl, supportEmail }) => ({
    subject: 'Kontoen din er slettet',
    blocks: [
      greeting('no', null),
      {
        paragraph:
          'Du har slettet kontoen din hos Prøveklar. Navnet ditt, e-postadressen, innloggingen, ' +
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
        link: 'Vil du øve igjen en annen gang, oppretter du en ny konto',
        url: `${publicUrl}/quiz`,
      },
      {
        paragraph: `Var det ikke du som slettet kontoen? Skriv til ${supportEmail} med en gang.`,
      },
      questions('no', supportEmail),
    ],
  }),
  en: ({ publicUrl, supportEmail }) => ({
    subject: 'Your account has been deleted',
    blocks: [
      greeting('en', null),
      {
        paragraph:
          'You have deleted your account with Prøveklar. Your name, your email address, your ' +
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
        paragraph: `Was it not you who deleted the account? Write to ${supportEmail} at once.`,
      },
      questions('en', supportEmail),
    ],
  }),
};
