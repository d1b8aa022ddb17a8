import type { Language } from '#accounts/language.ts';
import { composeMail, type MailContent } from './compose-mail.ts';
import { formatDate } from './format.ts';
import type { MailAddresses } from './payment-confirmation.ts';
import { formatMoment, greeting, questions, type Letter } from './wording.ts';

export interface EndingFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  expiresAt: Date;
}

/**
 * Tells a learner that their access ends soon. A message about what they bought, and no advertising:
 * so no price, no offer, and nobody has to have agreed to it (markedsføringsloven § 15).
 */
export function serviceEnding(
  language: Language,
  facts: EndingFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}

type Wording = (facts: EndingFacts, addresses: MailAddresses) => Letter;

const WORDING: Record<Language, Wording> = {
  no: ({ name, expiresAt }, { publicUrl, supportEmail }) => ({
    subject: `Tilgangen din slutter ${formatDate(expiresAt, 'no')}`,
    blocks: [
      greeting('no', name),
      { facts: [['Tilgangen din varer til', formatMoment(expiresAt, 'no')]] },
      {
        paragraph:
          'Du har ikke et abonnement. Ingenting skjer av seg selv: Vi trekker ingen penger, og du ' +
          'trenger ikke å si opp.',
      },
      {
        paragraph:
          'Resultatene dine blir på kontoen din. Vil du øve lenger, kan du kjøpe flere dager. De ' +
          'legges til dagene du har igjen.',
      },
      { link: 'Her kan du forlenge', url: `${publicUrl}/quiz/billing` },
      {
        paragraph:
          'Dette er en melding om tilgangen du har kjøpt, ikke reklame. Du får den én gang før ' +
          'tilgangen slutter. Forlenger du ikke, får du ikke flere slike e-poster.',
      },
      questions('no', supportEmail),
    ],
  }),
  en: ({ name, expiresAt }, { publicUrl, supportEmail }) => ({
    subject: `Your access ends on ${formatDate(expiresAt, 'en')}`,
    blocks: [
      greeting('en', name),
      { facts: [['Your access lasts until', formatMoment(expiresAt, 'en')]] },
      {
        paragraph:
          'You do not have a subscription. Nothing happens by itself: we do not take any money, ' +
          'and you do not need to cancel.',
      },
      {
        paragraph:
          'Your results stay in your account. If you want to practise for longer, you can buy more ' +
          'days. They are added to the days you have left.',
      },
      { link: 'Extend here', url: `${publicUrl}/quiz/billing` },
      {
        paragraph:
          'This is a message about the access you bought, not advertising. You get it once before ' +
          'your access ends. If you do not extend, you will get no more emails like this.',
      },
      questions('en', supportEmail),
    ],
  }),
};
