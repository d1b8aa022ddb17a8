import type {
  ChangedReportsResponse,
  CloseFeedbackRequest,
  FeedbackResponse,
  ReportedQuestionsResponse,
} from '@proveklar/contract/feedback.ts';
import type { OperationDocs } from './operation.ts';
import { DEMO_EMAIL, QUESTIONS, QUIZ_ID } from './values.ts';

const [{ id, uuid, topic, question, language }] = QUESTIONS;
const REPORT_ID = '019bc0df-11d2-7a40-8c55-2f9e4b7d6a10';
const REPORTED_AT = '2026-01-15T08:45:00.000Z';
const REPORT = { reason: 'outdated', comment: 'Svaret er endret i ny lov.' } as const;

export const listFeedback: OperationDocs<never, FeedbackResponse> = {
  operationId: 'listFeedback',
  description:
    '100 on a page. Topic and question are the current ones; `quiz_id` is the quiz in which the learner saw the question.',
  examples: {
    one: {
      summary: 'The one open report of a question',
      query: { state: 'open', question_id: id, page: 1 },
      answer: {
        feedback: [
          {
            id: REPORT_ID,
            created_at: REPORTED_AT,
            user_email: DEMO_EMAIL,
            question_id: id,
            question_uuid: uuid,
            topic,
            question,
            type: 'thumbs_down',
            quiz_id: QUIZ_ID,
            ...REPORT,
            state: 'open',
          },
        ],
        total: 1,
        page: 1,
        page_size: 100,
      },
    },
  },
};

export const listReportedQuestions: OperationDocs<never, ReportedQuestionsResponse> = {
  operationId: 'listReportedQuestions',
  description: '20 on a page, each with its counts and its three latest comments.',
  examples: {
    open: {
      summary: 'Questions with open reports',
      query: { state: 'open', sort: 'newest', page: 1 },
      answer: {
        questions: [
          {
            id,
            uuid,
            question,
            topic,
            language,
            retired: false,
            state: 'open',
            reports: { open: 1, total: 1 },
            reasons: { wrong_answer: 0, unclear: 0, outdated: 1, language: 0, other: 0, none: 0 },
            comments: [{ id: REPORT_ID, created_at: REPORTED_AT, ...REPORT }],
            first_reported_at: REPORTED_AT,
            last_reported_at: REPORTED_AT,
          },
        ],
        total: 1,
        page: 1,
        page_size: 20,
      },
    },
  },
};

export const closeFeedback: OperationDocs<CloseFeedbackRequest, ChangedReportsResponse> = {
  operationId: 'closeFeedback',
  description:
    'By the id or the uuid of the question. With `reported_until`, later reports stay open. A learner who reports the question again reopens their report.',
  examples: {
    fixed: {
      summary: 'The question was corrected',
      path: { question: uuid },
      body: { state: 'fixed' },
      answer: { ok: true, reports: 1 },
    },
  },
  errors: { question_not_found: {} },
};

export const reopenFeedback: OperationDocs<never, ChangedReportsResponse> = {
  operationId: 'reopenFeedback',
  description: 'Undoes the last closing; reports that were closed earlier stay closed.',
  examples: {
    taken_back: {
      summary: 'It was not corrected after all',
      path: { question: uuid },
      answer: { ok: true, reports: 1 },
    },
  },
  errors: { question_not_found: {} },
};
