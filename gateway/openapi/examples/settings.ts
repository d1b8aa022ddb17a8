import type {
  BankLanguage,
  ExamFacts,
  ExamProfile,
  ExamProfileRequest,
  ExamProfilesResponse,
  ExamsResponse,
  LanguagesResponse,
  OfferLanguageRequest,
  SettingsRequest,
  SettingsResponse,
} from '@proveklar/contract/settings.ts';
import type { OperationDocs } from './operation.ts';
import { ADMIN_EMAIL } from './values.ts';

const AT_FIRST: SettingsResponse = {
  price: 149,
  service_days: 30,
  seller_name: null,
  seller_organisation_number: null,
  seller_address: null,
  seller_vat_registered: false,
  support_email: null,
  support_email_in_use: 'kontakt@example.no',
  updated_at: null,
  updated_by: null,
};
const CHANGED = { updated_at: '2026-01-20T09:00:00.000Z', updated_by: ADMIN_EMAIL };
const SELLER = {
  seller_name: 'Eksempelforlaget AS',
  seller_organisation_number: '987654325',
  seller_address: 'Eksempelveien 1, 0001 Oslo',
};

export const readSettings: OperationDocs<never, SettingsResponse> = {
  operationId: 'readSettings',
  description: 'The current settings. The audit log has their history.',
  examples: { at_first: { summary: 'The defaults of a new installation', answer: AT_FIRST } },
};

export const changeSettings: OperationDocs<SettingsRequest, SettingsResponse> = {
  operationId: 'changeSettings',
  description:
    'Only changed fields are written and recorded; send only those, so that concurrent changes of other fields survive. Started payments keep their price. A price is rejected when it is negative, over 99,999.99, has more than two decimals, or is under 3.00 without being 0.',
  examples: {
    price: {
      summary: 'Another price for more days',
      body: { price: 199.5, service_days: 60 },
      answer: { ...AT_FIRST, price: 199.5, service_days: 60, ...CHANGED },
    },
    seller: {
      summary: 'The seller, and the support address',
      body: { ...SELLER, support_email: 'hjelp@example.no' },
      answer: {
        ...AT_FIRST,
        ...SELLER,
        support_email: 'hjelp@example.no',
        support_email_in_use: 'hjelp@example.no',
        ...CHANGED,
      },
    },
  },
};

const UNCHANGED = { updated_at: null, updated_by: null };
const SAMFUNNSKUNNSKAP_FACTS: ExamFacts = {
  name: 'samfunnskunnskap',
  questions_shown: 38,
  questions_counted: 34,
  pass_mark: 26,
  minutes: 60,
  source_url:
    'https://www.halden.kommune.no/kompetansesenter/tjenester/opplaring/samfunnskunnskapsproven/',
  checked_at: '2026-11-20',
};
const STATSBORGER_FACTS: ExamFacts = {
  name: 'statsborger',
  questions_shown: 36,
  questions_counted: 32,
  pass_mark: 24,
  minutes: 60,
  source_url: 'https://utrop.no/nyheter/nytt/333413',
  checked_at: '2026-11-20',
};
const STATSBORGER: ExamProfile = { ...STATSBORGER_FACTS, ...UNCHANGED };
const { name: _name, ...FIGURES } = STATSBORGER_FACTS;

export const listExams: OperationDocs<never, ExamsResponse> = {
  operationId: 'listExams',
  description:
    'The number of questions shown and counted, the right answers needed to pass, and the minutes of each practice test. A started test keeps the values that it started with.',
  examples: {
    at_first: {
      summary: 'The defaults of a new installation',
      answer: { exams: [SAMFUNNSKUNNSKAP_FACTS, STATSBORGER_FACTS] },
    },
  },
};

export const listExamProfiles: OperationDocs<never, ExamProfilesResponse> = {
  operationId: 'listExamProfiles',
  description: 'Each with the source of its figures and the day on which they were checked.',
  examples: {
    at_first: {
      summary: 'The defaults of a new installation',
      answer: {
        exam_profiles: [{ ...SAMFUNNSKUNNSKAP_FACTS, ...UNCHANGED }, STATSBORGER],
      },
    },
  },
};

export const changeExamProfile: OperationDocs<ExamProfileRequest, ExamProfile> = {
  operationId: 'changeExamProfile',
  description:
    'Applies to tests started from now on: started and ended tests keep their questions, time and pass mark. Without a change nothing is written or recorded.',
  examples: {
    longer: {
      summary: 'Five minutes more, as published on another page',
      path: { name: 'statsborger' },
      body: { ...FIGURES, minutes: 65, source_url: 'https://example.no/kilder/statsborgerprove' },
      answer: {
        ...STATSBORGER,
        minutes: 65,
        source_url: 'https://example.no/kilder/statsborgerprove',
        updated_at: '2026-01-20T09:00:00.000Z',
        updated_by: ADMIN_EMAIL,
      },
    },
  },
};

const UNUSED = { fallback: null, validated: 0, ...UNCHANGED };
const ENGLISH: BankLanguage = {
  code: 'en',
  name: 'English',
  direction: 'ltr',
  offered: true,
  ...UNUSED,
};
const NORWEGIAN: BankLanguage = {
  code: 'no',
  name: 'Norsk',
  direction: 'ltr',
  offered: true,
  ...UNUSED,
};
const NYNORSK: BankLanguage = {
  code: 'nn',
  name: 'Nynorsk',
  direction: 'ltr',
  offered: false,
  ...UNUSED,
  fallback: 'no',
};
const POLISH: BankLanguage = {
  code: 'pl',
  name: 'Polski',
  direction: 'ltr',
  offered: false,
  ...UNUSED,
};

export const listLanguages: OperationDocs<never, LanguagesResponse> = {
  operationId: 'listLanguages',
  description:
    'Learners get questions in the offered languages only, in drills, practice tests, the sample and translations. Imports accept questions in any language, and warn of those that are not offered.',
  examples: {
    four: {
      summary: 'Without questions in the bank; a new installation has some thirty languages',
      answer: { languages: [ENGLISH, NORWEGIAN, NYNORSK, POLISH] },
    },
  },
};

export const offerLanguage: OperationDocs<OfferLanguageRequest, LanguagesResponse> = {
  operationId: 'offerLanguage',
  description: 'Applies from now on: started quizzes keep their language. Returns all languages.',
  examples: {
    polish: {
      summary: 'Offer Polish',
      path: { code: 'pl' },
      body: { offered: true },
      answer: {
        languages: [
          ENGLISH,
          NORWEGIAN,
          NYNORSK,
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
