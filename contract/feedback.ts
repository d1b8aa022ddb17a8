import { type Static, Type } from 'typebox';
import { Closed, RowId, Timestamp, Uuid } from './common.ts';
import { MAX_COMMENT_LENGTH } from './limits.ts';

// Reports of questions: sent by learners, read and closed by administrators.

const FEEDBACK_REASONS = ['wrong_answer', 'unclear', 'outdated', 'language', 'other'] as const;
export type FeedbackReason = (typeof FEEDBACK_REASONS)[number];

/** Open until an administrator closes it. */
const FEEDBACK_STATES = ['open', 'fixed', 'dismissed'] as const;
export type FeedbackState = (typeof FEEDBACK_STATES)[number];

/** A question in a path: its id, or its uuid. */
export const QuestionParams = Closed({
  question: Type.Union([RowId, Uuid]),
});

export const FeedbackRequest = Closed({
  type: Type.Literal('thumbs_down'),
  reason: Type.Optional(
    Type.Enum(FEEDBACK_REASONS, {
      description: 'What is wrong with the question.',
    }),
  ),
  comment: Type.Optional(Type.String({ maxLength: MAX_COMMENT_LENGTH })),
});
export type FeedbackRequest = Static<typeof FeedbackRequest>;

const State = Type.Enum(FEEDBACK_STATES);
const Reason = Type.Union([Type.Enum(FEEDBACK_REASONS), Type.Null()], {
  description: 'Null when the learner chose none.',
});
const Comment = Type.Union([Type.String(), Type.Null()]);
const Page = Type.Integer({ minimum: 1, maximum: 1_000_000 });

export const FeedbackQuery = Closed({
  state: Type.Optional(Type.Enum(FEEDBACK_STATES, { description: 'Default: all states.' })),
  question_id: Type.Optional(RowId),
  page: Type.Optional(Page),
});
export type FeedbackQuery = Static<typeof FeedbackQuery>;

/** One learner's report of one question. */
const FeedbackItem = Closed({
  id: Uuid,
  created_at: Timestamp,
  user_email: Type.Union([Type.String(), Type.Null()], {
    description: 'Who reported it. Null for an editor, who does not see it.',
  }),
  question_id: Type.Integer(),
  question_uuid: Uuid,
  topic: Type.String(),
  question: Type.String(),
  type: Type.Literal('thumbs_down'),
  quiz_id: Uuid,
  reason: Reason,
  comment: Comment,
  state: State,
});
export type FeedbackItem = Static<typeof FeedbackItem>;

export const FeedbackResponse = Closed({
  feedback: Type.Array(FeedbackItem, { description: 'Newest first.' }),
  total: Type.Integer(),
  page: Type.Integer({ minimum: 1 }),
  page_size: Type.Integer(),
});
export type FeedbackResponse = Static<typeof FeedbackResponse>;

export const ReportedQuestionsQuery = Closed({
  state: Type.Optional(
    Type.Enum(['open', 'closed', 'all'], {
      description: '`open` (default): questions with an open report.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum(['newest', 'reports'], {
      description: 'By the last report (default), or by the number of reports.',
    }),
  ),
  page: Type.Optional(Page),
});
export type ReportedQuestionsQuery = Static<typeof ReportedQuestionsQuery>;

/** A question with its reports. */
const ReportedQuestion = Closed({
  id: Type.Integer(),
  uuid: Uuid,
  question: Type.String(),
  topic: Type.String(),
  language: Type.String(),
  retired: Type.Boolean(),
  state: Type.Enum(FEEDBACK_STATES, {
    description: '`open` while any report is open; otherwise how the last one was closed.',
  }),
  reports: Closed({ open: Type.Integer(), total: Type.Integer() }),
  reasons: Closed(
    {
      wrong_answer: Type.Integer(),
      unclear: Type.Integer(),
      outdated: Type.Integer(),
      language: Type.Integer(),
      other: Type.Integer(),
      none: Type.Integer(),
    },
    { description: 'The number of reports for each reason; `none` is without a reason.' },
  ),
  comments: Type.Array(
    Closed({ id: Uuid, created_at: Timestamp, reason: Reason, comment: Type.String() }),
    { maxItems: 3, description: 'The latest comments.' },
  ),
  first_reported_at: Timestamp,
  last_reported_at: Timestamp,
});
export type ReportedQuestion = Static<typeof ReportedQuestion>;

export const ReportedQuestionsResponse = Closed({
  questions: Type.Array(ReportedQuestion),
  total: Type.Integer({ description: 'The number of questions.' }),
  page: Type.Integer({ minimum: 1 }),
  page_size: Type.Integer(),
});
export type ReportedQuestionsResponse = Static<typeof ReportedQuestionsResponse>;

export const CloseFeedbackRequest = Closed({
  state: Type.Enum(['fixed', 'dismissed']),
  reported_until: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'The `last_reported_at` that the administrator saw: later reports stay open. Default: all are closed.',
    }),
  ),
});
export type CloseFeedbackRequest = Static<typeof CloseFeedbackRequest>;

export const ChangedReportsResponse = Closed({
  ok: Type.Literal(true),
  reports: Type.Integer({ description: 'The number of reports that changed.' }),
});
export type ChangedReportsResponse = Static<typeof ChangedReportsResponse>;
