import type { LegalDocument } from '../../legal-document.ts';
import { TRANSLATION } from './translation.ts';

const document: LegalDocument = {
  title: 'Accessibility statement',
  description:
    'What Prøveklar does so that everybody can practise, how we test it, what is not good enough yet, and how to tell us.',
  updated: 'Last updated 21 November 2026',
  changes: [],
  note: TRANSLATION,
  intro:
    'Everybody should be able to practise for the test. Here is what we have done, what is not good enough yet, and how to tell us if something shuts you out.',
  sections: [
    {
      id: 'maal',
      title: 'Our aim',
      blocks: [
        'Norwegian rules demand that websites for the general public are universally designed. For private companies, 35 requirements of the standard WCAG 2.0 apply. We have set ourselves a higher aim: all requirements on the levels A and AA of WCAG 2.1. The law does not demand a statement like this from us. We give it because you should know what to expect.',
      ],
    },
    {
      id: 'gjort',
      title: 'This should work',
      blocks: [
        {
          list: [
            'Everything can be used with the keyboard only. In a quiz you choose an answer with the digits 1–9 or the letters A–I and go on with Enter. The letters can be turned off.',
            'Screen readers are told about right and wrong answers, the time, and how far you have come.',
            'The pages fit screens from 320 pixels, and the text can be enlarged to 200 per cent.',
            'You can choose light or dark colours. If you have asked your device for less motion, we show less motion.',
            'Colour is never the only thing that shows whether something is right or wrong.',
            'You decide yourself whether the quiz moves on automatically, and you can hide the clock in the practice test.',
            'The texts are written in plain Norwegian and are also there in English.',
          ],
        },
      ],
    },
    {
      id: 'testet',
      title: 'How we test',
      blocks: [
        {
          list: [
            'Every screen is tested with the program axe, in light and dark colours, each time we make a new version.',
            'At the same time we test that everything fits on a screen that is 320 pixels wide and when magnified to 200 per cent, and that nothing moves for those who have asked for that.',
            'We go through the whole service with the keyboard only: from the front page and the free questions to account, payment, quiz, practice test and result.',
            'On the way we read what the browser passes on to screen readers.',
          ],
        },
        'We have made this assessment ourselves. Nobody outside has checked it.',
      ],
    },
    {
      id: 'mangler',
      title: 'What we know is not good enough yet',
      blocks: [
        {
          list: [
            'The card fields come from Stripe, and the confirmation of the payment comes from your bank. We cannot change them. If you cannot pay, write to us, and we will find another way.',
            'Signing in with Google is Google’s own. You can use email and password instead.',
            'Reading aloud uses the voices in your browser. Some browsers have no Norwegian voice. Then we cannot read aloud.',
            'Not all questions are translated into English.',
            'The service has not been tried by people who use a screen reader every day. There may be faults that we have not seen.',
          ],
        },
      ],
    },
    {
      id: 'si-fra',
      title: 'Tell us',
      blocks: [
        'If there is something that you cannot do, write to us. Say which page it is about, and preferably which browser and which aids you use. We answer as soon as we can and within 14 days at the latest. If we cannot put it right at once, we try to find another solution for you.',
        { seller: true },
      ],
    },
    {
      id: 'klage',
      title: 'If you are not satisfied',
      blocks: [
        'The Norwegian Digitalisation Agency (Digdir) sees to it that the rules on universal design of websites are followed, by private companies too. You can tell its supervisory authority at [uutilsynet.no](https://www.uutilsynet.no).',
      ],
    },
  ],
};
export default document;
