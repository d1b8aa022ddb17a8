import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type {
  CorrectKeyRequest,
  CorrectKeyResponse,
  CoverageResponse,
  DismissQualityRequest,
  QualityResponse,
  QualitySummaryResponse,
  QuestionStatisticsResponse,
} from '@proveklar/contract/question-quality.ts';
import { CURRICULUM } from '@proveklar/contract/curriculum.ts';
import type { OperationDocs } from './operation.ts';
import { QUESTIONS, QUIZ_ID } from './values.ts';

const [QUESTION] = QUESTIONS;
const { id, uuid, question, topic, language, answer, incorrect } = QUESTION;
const QUESTION_FIELDS = { id, uuid, question, topic, language };
const UNMEASURED = { quizzes: 0, discrimination: null };
const NO_ANALYSIS = { answers: 0, too_few: true, facility: null, ...UNMEASURED };
const ONE_ANSWER = { answers: 1, too_few: true, facility: 1, ...UNMEASURED };
const OPTIONS = [
  { option: answer, is_key: true, times_chosen: 1, share: 1 },
  ...incorrect.map((option) => ({ option, is_key: false, times_chosen: 0, share: 0 })),
];

export const listReviewQueue: OperationDocs<never, QualityResponse> = {
  operationId: 'listReviewQueue',
  description:
    'Each question is listed once, with all its reasons; 20 on a page. First those with bad figures or reports, by the worst reason and then by the number of answers; then those with only an old source, oldest first. Retired questions are left out, and so are pending ones with only an old source. The figures are updated as answers are counted.',
  examples: {
    reported: {
      summary: 'A question that a learner has reported',
      query: { reason: 'reported', page: 1 },
      answer: {
        questions: [
          {
            ...QUESTION_FIELDS,
            answer,
            validated: true,
            version: 1,
            reasons: ['reported'],
            ...NO_ANALYSIS,
            measured_difficulty: null,
            key_share: null,
            preferred_distractor: null,
            open_reports: 1,
            checked_at: QUESTION.checked_at,
            ages: null,
          },
        ],
        total: 1,
        page: 1,
        page_size: 20,
        threshold: 30,
      },
    },
  },
};

export const summarizeQuality: OperationDocs<never, QualitySummaryResponse> = {
  operationId: 'summarizeQuality',
  description:
    'Counts of the review queue by reason, and the distribution of facility and discrimination of questions with enough answers. Up to five seconds old.',
  examples: {
    too_few: {
      summary: 'One question was answered, by one learner',
      answer: {
        as_of: '2026-01-16T17:20:00.000Z',
        threshold: 30,
        reasons: {
          wrong_option_preferred: 0,
          reported: 0,
          negative_discrimination: 0,
          fact_due: 0,
          source_outdated: 0,
        },
        total: 0,
        measured: 0,
        too_few: 1,
        facility: Array.from({ length: 10 }, (_, bin) => ({
          from: bin / 10,
          to: (bin + 1) / 10,
          questions: 0,
        })),
        scatter: [],
      },
    },
  },
};

export const readCoverage: OperationDocs<never, CoverageResponse> = {
  operationId: 'readCoverage',
  description:
    'Counts validated, active questions by the tags that belong to each subject. Up to thirty seconds old.',
  examples: {
    without_tags: {
      summary: 'Two questions, without tags',
      answer: {
        as_of: '2026-01-16T17:20:00.000Z',
        languages: ['no'],
        questions: { no: 2 },
        outside: { no: 2 },
        subjects: CURRICULUM.map(({ subject, tags }) => ({
          subject,
          questions: {},
          tags: tags.map((tag) => ({ tag, questions: {} })),
        })),
      },
    },
  },
};

export const dismissQuality: OperationDocs<DismissQualityRequest, Static<typeof Ok>> = {
  operationId: 'dismissQuality',
  description:
    'It leaves the review queue for this reason, and returns with twice as many answers, another report, a new version of the question, or after a year at the latest.',
  examples: {
    reported: {
      summary: 'The report was wrong, the question is right',
      path: { question: uuid },
      body: { reason: 'reported' },
      answer: { ok: true },
    },
  },
  errors: { question_not_found: {} },
};

export const readQuestionStatistics: OperationDocs<never, QuestionStatisticsResponse> = {
  operationId: 'readQuestionStatistics',
  description:
    'Counted per version: an edit of the text, the options or the key starts a new count. Other edits, and a corrected key, keep the counted answers. For the discrimination, an unanswered question of a practice test counts as wrong, and one of a drill is ignored; quizzes with fewer than five answers are left out.',
  examples: {
    answered_once: {
      summary: 'One right answer, in a quiz too short for the discrimination',
      path: { question: uuid },
      answer: {
        ...QUESTION_FIELDS,
        version: 1,
        threshold: 30,
        ...ONE_ANSWER,
        measured_difficulty: null,
        options: OPTIONS,
        versions: [
          {
            version: 1,
            current: true,
            pooled: true,
            corrected: false,
            question,
            replaced_at: null,
            ...ONE_ANSWER,
            options: OPTIONS,
          },
        ],
        regrade: null,
      },
    },
  },
  errors: {
    question_not_found: {},
    validation_failed: {
      error: 'question must be integer',
      details: { field: 'question', part: 'params' },
    },
  },
};

export const correctKey: OperationDocs<CorrectKeyRequest, CorrectKeyResponse> = {
  operationId: 'correctKey',
  description:
    'The old key becomes a wrong option in place of the new one. Every quiz that showed the question with these options is regraded in the background, and each learner whose result changes is notified once. Where a practice test did not show the new key, every answer counts as right. `GET /questions/{question}/statistics` returns the progress.',
  examples: {
    another_option: {
      summary: 'The third wrong option is the right one',
      path: { question: uuid },
      body: { version: 1, answer: incorrect[2] },
      answer: {
        id,
        version: 2,
        answer: incorrect[2],
        incorrect: [incorrect[0], incorrect[1], answer],
        quizzes: 1,
        regrade_id: QUIZ_ID,
      },
    },
  },
  errors: {
    question_not_found: {},
    question_changed: { details: { version: 2 } },
    answer_not_an_option: { details: { field: 'answer' } },
  },
};
