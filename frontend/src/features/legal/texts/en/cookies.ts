import type { LegalDocument } from '../../legal-document.ts';
import { TRANSLATION } from './translation.ts';

const document: LegalDocument = {
  title: 'Cookies',
  description:
    'Which cookies Prøveklar uses, what else your browser remembers for us, for how long, and how to delete it.',
  updated: 'Last updated 14 January 2025',
  changes: [
    'Changed 27 November 2026: the list now has your answer to the question on the front page, how ready you were before the last quiz, how far down a page you were, and choices in the admin portal. Which test you practise for, and whether the quiz moves on by itself, is stored in your account when you have one.',
    'Changed 21 November 2026: a list of everything that is stored in the browser, and for how long. New are your choices for the quiz and the colours, a cookie that somebody is signed in, the free sample, and the page that is shown when you are offline.',
    'Changed 20 November 2026: the choice of language is stored in a cookie.',
  ],
  note: TRANSLATION,
  intro:
    'Prøveklar does not use cookies for advertising or tracking. What is stored in your browser is needed for the service to work as you ask it to. That is why we do not ask for your consent.',
  sections: [
    {
      id: 'hva',
      title: 'What are cookies?',
      blocks: [
        'A cookie is a small text that the browser stores, and that is sent to the website the next time you are there. The browser also has stores of its own that are only used on your device. The rules in section 3-15 of the Norwegian Electronic Communications Act (ekomloven) apply to both. What is necessary for a service that you have asked for yourself does not need your consent.',
      ],
    },
    {
      id: 'kapsler',
      title: 'Our cookies',
      blocks: [
        {
          head: ['Name and purpose', 'How long'],
          stored: [
            [
              'i18next',
              'The language that you chose, so that pages come in that language',
              '1 year',
            ],
            [
              'colour-scheme',
              'That you chose light or dark colours. Only stored when you choose yourself',
              '1 year',
            ],
            [
              'signed-in',
              'That somebody is signed in here, so that you get the right page at once',
              'Until you sign out, 1 year at most',
            ],
          ],
        },
      ],
    },
    {
      id: 'nettleseren',
      title: 'What else the browser remembers',
      blocks: [
        {
          head: ['Name and purpose', 'How long'],
          stored: [
            ['i18nextLng', 'The language that pages were shown in', 'Until you delete it'],
            [
              'proveklar.exam, proveklar.timed, proveklar.test-language, proveklar.clock',
              'Which test you practise for (only until the account has the choice), with or without time, in which language, and whether the clock is shown',
              'Until you delete it',
            ],
            [
              'proveklar.question-count, proveklar.question-language',
              'How many questions you want when you practise a topic, and in which language',
              'Until you delete it',
            ],
            [
              'proveklar.auto-advance, proveklar.advance-without-feedback, proveklar.sample-auto-advance, proveklar.quiz-keys, proveklar.reading-speed',
              'Whether the quiz (only until the account has the choice), the test and the free questions move on by themselves, whether you answer with letters, and how fast the question is read aloud',
              'Until you delete it',
            ],
            [
              'proveklar.unsent',
              'Answers and marks that are not sent to us yet, for example because you were offline',
              'Until they are sent or you delete the account, 30 days at most',
            ],
            [
              'payment',
              'A random number that keeps you from paying twice',
              'Until you have paid. It is valid for 6 hours, and is otherwise deleted the next time you pay',
            ],
            ['email-change', 'The email address that you have asked to change to', '1 day'],
            [
              'proveklar.portal-keys, proveklar.portal-views',
              'Keys and saved views in the admin portal',
              'Until you delete them',
            ],
            ['proveklar.shown-question', 'Where you are in a quiz', 'Until you close the tab'],
            [
              'tsr-scroll-restoration-v1_3',
              'How far down a page you were, so that you come back there',
              'Until you close the tab',
            ],
            [
              'proveklar.before',
              'How ready for the test you were before the last quiz, so that the result can show what has changed',
              'Until you close the tab',
            ],
            ['proveklar.sample', 'Your answers in the free sample', 'Until you close the tab'],
            [
              'proveklar.tried',
              'Your answer to the question on the front page',
              'Until you open the free questions, or close the tab',
            ],
            [
              'firebaseLocalStorageDb',
              'That you are signed in, from the sign-in service Firebase Authentication. Stored when you sign in',
              'Until you sign out',
            ],
            [
              'firebase-heartbeat-database',
              'Which version of the sign-in the browser used, and on which days',
              'Until you delete it',
            ],
            [
              'offline',
              'The page that is shown when you are offline, with nothing about you',
              'Until you delete it',
            ],
          ],
        },
        'None of this is used to follow what you do. The answers that are waiting are sent to us when you are online again. That you are signed in is sent along when the page fetches something from your account.',
      ],
    },
    {
      id: 'andre',
      title: 'From others than us',
      blocks: [
        'When you are going to pay, we load the card form from Stripe. To prevent fraud, Stripe stores cookies of its own, among them __stripe_mid (1 year) and __stripe_sid (30 minutes). They are necessary for a safe payment and are only loaded when you are going to pay. Read [Stripe’s page about cookies](https://stripe.com/cookies-policy/legal).',
        'If you sign in with Google, a window from Google opens. There Google uses its own cookies. If you choose email and password, it does not open.',
      ],
    },
    {
      id: 'statistikk',
      title: 'Usage analytics',
      blocks: [
        'The usage analytics is our own and uses neither cookies nor anything else in your browser. What we count is on the page about [privacy](/personvern).',
      ],
    },
    {
      id: 'slette',
      title: 'How to delete it',
      blocks: [
        'You can delete all this in your browser’s settings, usually under “Privacy” and “Site data”. Then you have to sign in and choose a language again. Answers that are not sent yet are lost. If you block cookies, you can still read the pages, but signing in and paying may stop working.',
      ],
    },
  ],
};
export default document;
