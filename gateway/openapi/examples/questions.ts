import type { Static } from 'typebox';
import type { FeedbackRequest } from '@proveklar/contract/feedback.ts';
import type { QuestionBankResponse, QuestionsResponse } from '@proveklar/contract/questions.ts';
import type { Ok } from '@proveklar/contract/common.ts';
import type { OperationDocs } from './operation.ts';
import { IMPORT_ID, IN_BANK } from './question-bank.ts';
import { QUESTIONS, QUIZ_ID } from './values.ts';

export const listQuestions: OperationDocs<never, QuestionsResponse | QuestionBankResponse> = {
  operationId: 'listQuestions',
  description:
    'A learner gets the questions of a quiz of theirs that has ended, in its order and with the options that it showed. An admin gets the bank, 20 questions a page, by whatever filters are set, unless `quiz_id` names a quiz of theirs. The filters, `page` and `sort` are for admins: 403 for others.',
  examples: {
    of_a_quiz: {
      summary: 'The two questions of a drill',
      query: { quiz_id: QUIZ_ID },
      answer: {
        questions: QUESTIONS.map(({ options: _shown, incorrect, ...question }) => ({
          ...question,
          incorrect: [...incorrect],
        })),
        total: 2,
        page: 1,
      },
    },
    of_the_bank: {
      summary: 'What an admin finds by every filter that there is',
      query: {
        topic: IN_BANK.topic,
        language: IN_BANK.language,
        validation: 'validated',
        state: 'active',
        reported: 'false',
        min_correct: 0,
        max_selected: 0,
        search: 'underskrevet',
        import_id: IMPORT_ID,
        sort: 'newest',
        page: 1,
      },
      answer: { questions: [IN_BANK], total: 1, page: 1 },
    },
  },
  errors: { admin_only: {}, quiz_not_found: {} },
};

export const reportQuestion: OperationDocs<FeedbackRequest, Static<typeof Ok>> = {
  operationId: 'reportQuestion',
  description:
    'By the id or the uuid of the question. There is one report per learner and question; another adds its reason and comment to the first.',
  examples: {
    outdated: {
      summary: 'A question whose answer is not true any more',
      path: { question: QUESTIONS[0].uuid },
      body: { type: 'thumbs_down', reason: 'outdated', comment: 'Svaret er endret i ny lov.' },
      answer: { ok: true },
    },
  },
  errors: { question_not_found: {}, rate_limited: { details: { retry_after_s: 1800 } } },
};
