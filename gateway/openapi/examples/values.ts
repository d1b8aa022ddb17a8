import { createHash } from 'node:crypto';

/** Values that several examples share, so that they are consistent. */
export const DEMO_EMAIL = 'demo@example.no';
export const DEMO_NAME = 'Demo';
export const ADMIN_EMAIL = 'admin@example.no';
export const REGISTERED_AT = '2026-01-15T08:30:00.000Z';
export const PAYMENT_INTENT_ID = 'pi_3QxEksempel0001';
export const PAYMENT_ID = '019bc0dd-7e02-7b44-9d3a-1c8f5a60e2b7';
export const CLIENT_SECRET = `${PAYMENT_INTENT_ID}_secret_eksempel`;
export const PACKET_KEY = `${PAYMENT_ID}.eksempel-eksempel-eksempel-eksempel-eksempe`;
export const ACCESS_CODE = '7K3D-9QZX-04MW-TR5H';
export const QUIZ_ID = '019bc0de-5a10-7c3e-9f21-6b0d4e8a7c55';
export const LATER_QUIZ_ID = '019bc0e4-1b7a-7d02-8c55-2f90a1e6b3d8';

/** The question bank of the examples: two questions on one topic, with their options in shown order. */
export const QUESTIONS = [
  {
    id: 101,
    uuid: '3f1c9a52-7b8e-4d06-9c41-5e2ad07b61f8',
    topic: 'Historie',
    language: 'no',
    question: 'Når ble Grunnloven underskrevet på Eidsvoll?',
    answer: '17. mai 1814',
    incorrect: ['7. juni 1905', '9. april 1940', '8. mai 1945'],
    options: ['9. april 1940', '8. mai 1945', '7. juni 1905', '17. mai 1814'],
    explanation: 'Grunnloven ble underskrevet 17. mai 1814. Derfor er 17. mai Norges nasjonaldag.',
    incorrect_reasons: [
      'Da ble unionen med Sverige oppløst.',
      null,
      'Da ble Norge fritt etter den andre verdenskrigen.',
    ],
    source_url: 'https://example.no/kilder/grunnloven',
    source_title: 'Store norske leksikon',
    checked_at: '2026-11-20',
  },
  {
    id: 102,
    uuid: 'b7d20e64-1a9f-4c35-8e70-93f6c2d5a418',
    topic: 'Historie',
    language: 'no',
    question: 'Når fikk kvinner i Norge stemmerett på lik linje med menn?',
    answer: 'I 1913',
    incorrect: ['I 1814', 'I 1884', 'I 1945'],
    options: ['I 1814', 'I 1945', 'I 1913', 'I 1884'],
    explanation: 'I 1913 vedtok Stortinget at kvinner skulle ha samme stemmerett som menn.',
    source_url: 'https://example.no/kilder/stemmerett',
  },
] as const;

const [FIRST] = QUESTIONS;

/** What explains the answer to the first question, when the quiz showed all its options. */
export const FIRST_WHY = {
  explanation: FIRST.explanation,
  reasons: [
    { option: FIRST.incorrect[0], reason: FIRST.incorrect_reasons[0] },
    { option: FIRST.incorrect[2], reason: FIRST.incorrect_reasons[2] },
  ],
  source_url: FIRST.source_url,
  source_title: FIRST.source_title,
  checked_at: FIRST.checked_at,
};

/** The first question in English; the example that shows it adds it to the bank. */
export const TRANSLATION = {
  uuid: '5ad0c8e1-2f64-4b97-a1d3-08c7e64f92bb',
  topic: 'Historie',
  language: 'en',
  question: 'When was the Constitution signed at Eidsvoll?',
  answer: '17 May 1814',
  incorrect: ['7 June 1905', '9 April 1940', '8 May 1945'],
  options: ['9 April 1940', '8 May 1945', '7 June 1905', '17 May 1814'],
  explanation:
    'The Constitution was signed on 17 May 1814. That is why 17 May is the national day.',
} as const;

/** A picture: a timeline with a place for each year. */
export const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 250"><path d="M50 125h900" stroke="#333"/></svg>';
export const PICTURE_URI = `data:image/svg+xml;base64,${Buffer.from(PICTURE).toString('base64')}`;
export const PICTURE_HASH = createHash('sha256').update(PICTURE).digest('hex');
export const PICTURE_ALT = 'En tidslinje med fire steder';
export const AREAS = [FIRST.answer, ...FIRST.incorrect].map((name, place) => ({
  name,
  shape: `${25 * place},40 ${25 * place + 10},40 ${25 * place + 10},60 ${25 * place},60`,
}));
