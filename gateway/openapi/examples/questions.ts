import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type { FeedbackRequest } from '@proveklar/contract/feedback.ts';
import type {
  BankQuestion,
  BankTopicsResponse,
  QuestionBankResponse,
  QuestionFiltersResponse,
  QuestionsResponse,
  QuestionVersionsResponse,
  TopicsResponse,
} from '@proveklar/contract/questions.ts';
import type { OperationDocs } from './operation.ts';
import { ADMIN_EMAIL, FIRST_WHY, QUESTIONS, QUIZ_ID, REGISTERED_AT } from './values.ts';

const { options: _shown, ...FIRST } = QUESTIONS[0];
const { options: _alsoShown, ...SECOND } = QUESTIONS[1];
const { incorrect_reasons: _reasons, ...ENDED } = FIRST;
export const IMPORT_ID = '019bc0de-5a10-7c3e-9f21-6b0d4e8a7c60';
const PATH = { question: FIRST.uuid };

/** The first question in the bank: validated, and in no quiz. */
export const IN_BANK: BankQuestion = {
  ...FIRST,
  incorrect: [...FIRST.incorrect],
  incorrect_reasons: [...FIRST.incorrect_reasons],
  validated: true,
  retired_at: null,
  version: 1,
  revision: 1,
  times_selected: 0,
  times_correct: 0,
  times_incorrect: 0,
  times_reported: 0,
  correct_percent: null,
  excludes: [],
  valid_from: null,
  ages: null,
  image: null,
  areas: null,
  tags: [],
  group: null,
  import_id: IMPORT_ID,
  created_at: REGISTERED_AT,
  updated_at: null,
  is_used: false,
  merged_into: null,
};

export const listQuestions: OperationDocs<never, QuestionsResponse | QuestionBankResponse> = {
  operationId: 'listQuestions',
  description:
    'A learner gets the questions of an ended quiz of their own, in its order and with the options that it showed. An editor gets the bank, 20 questions a page, by the given filters, unless `quiz_id` is a quiz of theirs. The filters, `page`, `page_size` and `sort` are for editors: 403 for others.',
  examples: {
    of_a_quiz: {
      summary: 'The two questions of a drill',
      query: { quiz_id: QUIZ_ID },
      answer: {
        questions: [
          { ...ENDED, incorrect: [...FIRST.incorrect], image: null, areas: null, ...FIRST_WHY },
          {
            ...SECOND,
            incorrect: [...SECOND.incorrect],
            image: null,
            areas: null,
            reasons: [],
            source_title: null,
            checked_at: null,
          },
        ],
        total: 2,
        page: 1,
      },
    },
    of_the_bank: {
      summary: 'A search of an admin with all filters',
      query: {
        topic: IN_BANK.topic,
        language: IN_BANK.language,
        validation: 'validated',
        state: 'active',
        reported: false,
        min_correct: 0,
        max_selected: 0,
        search: 'underskrevet',
        import_id: IMPORT_ID,
        sort: 'newest',
        page: 1,
        page_size: 50,
      },
      answer: { questions: [IN_BANK], total: 1, page: 1 },
    },
  },
  errors: { admin_only: {}, quiz_not_found: {} },
};

export const reportQuestion: OperationDocs<FeedbackRequest, Static<typeof Ok>> = {
  operationId: 'reportQuestion',
  description:
    'By the id or the uuid of the question. There is one report per learner and question; reporting again adds reason and comment to it.',
  examples: {
    outdated: {
      summary: 'A question whose answer is outdated',
      path: { question: QUESTIONS[0].uuid },
      body: { type: 'thumbs_down', reason: 'outdated', comment: 'Svaret er endret i ny lov.' },
      answer: { ok: true },
    },
  },
  errors: { question_not_found: {}, rate_limited: { details: { retry_after_s: 1800 } } },
};

export const readQuestionFilters: OperationDocs<never, QuestionFiltersResponse> = {
  operationId: 'readQuestionFilters',
  description: 'Topics and languages of the whole bank, in all states.',
  examples: {
    small_bank: {
      summary: 'A bank with one topic',
      answer: { topics: ['Historie'], languages: ['no'], languages_not_offered: [] },
    },
  },
};

export const countBankTopics: OperationDocs<never, BankTopicsResponse> = {
  operationId: 'countBankTopics',
  description:
    'To rename a topic, or to merge it into another one, send `retopic` with the filter of the topic to `POST /api/v1/admin/question-changes`.',
  examples: {
    small_bank: {
      summary: 'A bank with one topic',
      answer: { topics: [{ topic: 'Historie', language: 'no', questions: 2, pending: 0 }] },
    },
  },
};

export const readQuestion: OperationDocs<never, BankQuestion> = {
  operationId: 'readQuestion',
  description: 'By the id or the uuid.',
  examples: { by_uuid: { summary: 'A validated question', path: PATH, answer: IN_BANK } },
  errors: { question_not_found: {} },
};

export const listQuestionVersions: OperationDocs<never, QuestionVersionsResponse> = {
  operationId: 'listQuestionVersions',
  description:
    'The newest version is the current one. A quiz shows the version that it was started with.',
  examples: {
    never_edited: {
      summary: 'A question that was never edited',
      path: PATH,
      answer: {
        versions: [
          {
            version: 1,
            language: FIRST.language,
            topic: FIRST.topic,
            question: FIRST.question,
            answer: FIRST.answer,
            incorrect: [...FIRST.incorrect],
            explanation: FIRST.explanation,
            source_url: FIRST.source_url,
            checked_at: FIRST.checked_at,
            incorrect_reasons: [...FIRST.incorrect_reasons],
            source_title: FIRST.source_title,
            excludes: [],
            valid_from: null,
            ages: null,
            image: null,
            areas: null,
            corrected: false,
            corrected_answer: null,
            created_at: REGISTERED_AT,
            created_by: ADMIN_EMAIL,
            import_id: IMPORT_ID,
          },
        ],
      },
    },
  },
  errors: { question_not_found: {} },
};

export const listTopics: OperationDocs<never, TopicsResponse> = {
  operationId: 'listTopics',
  description:
    'A topic is listed as long as it has a validated question in the language (default `no`).',
  examples: {
    norwegian: {
      summary: 'The topics in Norwegian',
      query: { language: 'no' },
      answer: { topics: ['Historie'], coverage: null },
    },
    nynorsk: {
      summary: 'The topics in Nynorsk, in which a part of the bank exists',
      query: { language: 'nn' },
      answer: {
        topics: ['Historie'],
        coverage: {
          fallback: 'no',
          questions: 1,
          total: 2,
          topics: [{ topic: 'Historie', questions: 1 }],
        },
      },
    },
  },
};
