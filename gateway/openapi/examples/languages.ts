import type {
  BankLanguage,
  LanguagesResponse,
  OfferLanguageRequest,
} from '@proveklar/contract/settings.ts';
import type { OperationDocs } from './operation.ts';
import { ADMIN_EMAIL } from './values.ts';

const UNCHANGED = { validated: 0, updated_at: null, updated_by: null };
const ENGLISH: BankLanguage = {
  code: 'en',
  name: 'English',
  direction: 'ltr',
  offered: true,
  ...UNCHANGED,
};
const NORWEGIAN: BankLanguage = {
  code: 'no',
  name: 'Norsk',
  direction: 'ltr',
  offered: true,
  ...UNCHANGED,
};
const POLISH: BankLanguage = {
  code: 'pl',
  name: 'Polski',
  direction: 'ltr',
  offered: false,
  ...UNCHANGED,
};

export const listLanguages: OperationDocs<never, LanguagesResponse> = {
  operationId: 'listLanguages',
  description:
    'Learners are asked in those that are offered: drills, practice tests, the sample and translations know no other. An import takes questions in any, and warns of those that are not offered.',
  examples: {
    three: {
      summary: 'Of a bank without questions; a new one knows some thirty',
      answer: { languages: [ENGLISH, NORWEGIAN, POLISH] },
    },
  },
};

export const offerLanguage: OperationDocs<OfferLanguageRequest, LanguagesResponse> = {
  operationId: 'offerLanguage',
  description:
    'For what begins from now on: a quiz that was begun in a language goes on in it. Answers with all languages.',
  examples: {
    polish: {
      summary: 'Offer Polish',
      path: { code: 'pl' },
      body: { offered: true },
      answer: {
        languages: [
          ENGLISH,
          NORWEGIAN,
          {
            ...POLISH,
            offered: true,
            updated_at: '2026-01-20T09:00:00.000Z',
            updated_by: ADMIN_EMAIL,
          },
        ],
      },
    },
  },
  errors: { language_required: {} },
};
