import { Type, type Static } from 'typebox';
import { Closed, Timestamp, Uuid } from './common.ts';

// Words of the field. Item: a question as something that measures. Facility: the share of answers to
// it that are right. Distractor: a wrong option. Discrimination: how far those who do well on the
// rest of the quiz are those who get the item right, from -1 to 1.

/** Why a question is in the review queue, the worst reason first. */
export const QUALITY_REASONS = [
  'wrong_option_preferred',
  'reported',
  'negative_discrimination',
  'source_outdated',
] as const;
export type QualityReason = (typeof QUALITY_REASONS)[number];

const Reason = Type.Enum(QUALITY_REASONS, {
  description:
    '`wrong_option_preferred`: a wrong option is chosen more often than the key. `reported`: has open reports. `negative_discrimination`: those who do well otherwise get it wrong, by more than chance. `source_outdated`: its source was last checked more than a year ago.',
});
const Share = Type.Number({ minimum: 0, maximum: 1 });
const Count = Type.Integer({ minimum: 0 });

const figures = {
  answers: Type.Integer({ minimum: 0, description: 'Answers that were counted.' }),
  too_few: Type.Boolean({ description: 'Fewer answers than `threshold`: the figures say little.' }),
  facility: Type.Union([Share, Type.Null()], {
    description: 'Share of the answers that are right; null without answers.',
  }),
  quizzes: Type.Integer({
    minimum: 0,
    description: 'Ended quizzes that the discrimination comes from.',
  }),
  discrimination: Type.Union([Type.Number({ minimum: -1, maximum: 1 }), Type.Null()], {
    description:
      'Corrected item-total correlation: of being right here with the share of right answers in the rest of the quiz. Null where it is not defined: with fewer than two quizzes, or when all were right or all wrong.',
  }),
};

const OptionShare = Closed({
  option: Type.String(),
  is_key: Type.Boolean(),
  times_chosen: Count,
  share: Type.Union([Share, Type.Null()], { description: 'Null without answers.' }),
});
export type OptionShare = Static<typeof OptionShare>;

const VersionStatistics = Closed({
  version: Type.Integer(),
  current: Type.Boolean(),
  pooled: Type.Boolean({
    description:
      'Has the same text, options and key as the current version, and is part of the figures above.',
  }),
  corrected: Type.Boolean({
    description: 'Its key was found to be wrong and was corrected later.',
  }),
  question: Type.String(),
  replaced_at: Type.Union([Timestamp, Type.Null()], { description: 'Null for the current one.' }),
  ...figures,
  options: Type.Array(OptionShare, {
    description: 'The key first, then the distractors in their order in the bank.',
  }),
});
export type VersionStatistics = Static<typeof VersionStatistics>;

const Regrade = Closed({
  id: Uuid,
  requested_at: Timestamp,
  completed_at: Type.Union([Timestamp, Type.Null()], {
    description: 'Null while it is under way.',
  }),
  quizzes: Type.Integer({ description: 'Quizzes that were looked at so far.' }),
  changed: Type.Integer({ description: 'Ended quizzes whose score changed.' }),
});
export type Regrade = Static<typeof Regrade>;

/** `GET /questions/{question}/statistics` */
export const QuestionStatisticsResponse = Closed({
  id: Type.Integer(),
  uuid: Uuid,
  question: Type.String(),
  topic: Type.String(),
  language: Type.String(),
  version: Type.Integer({ description: 'The current one; `correct-key` asks for it.' }),
  threshold: Type.Integer({ description: 'Answers from which figures are worth something.' }),
  ...figures,
  options: Type.Array(OptionShare, {
    description: 'The key first, then the distractors in their order in the bank.',
  }),
  versions: Type.Array(VersionStatistics, {
    description: 'Every version that was answered, and the current one; the newest first.',
  }),
  regrade: Type.Union([Regrade, Type.Null()], {
    description: 'What became of the last correction of the key; null when there was none.',
  }),
});
export type QuestionStatisticsResponse = Static<typeof QuestionStatisticsResponse>;

export const QualityQuery = Closed({
  reason: Type.Optional(Reason),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'The queue is shown as far as this.' }),
  ),
});
export type QualityQuery = Static<typeof QualityQuery>;

/** A question of the review queue: it is there once, with every reason. */
const QualityItem = Closed({
  id: Type.Integer(),
  uuid: Uuid,
  question: Type.String(),
  answer: Type.String({ description: 'The key.' }),
  topic: Type.String(),
  language: Type.String(),
  validated: Type.Boolean(),
  version: Type.Integer(),
  reasons: Type.Array(Reason, { minItems: 1, description: 'The worst first.' }),
  ...figures,
  key_share: Type.Union([Share, Type.Null()]),
  preferred_distractor: Type.Union(
    [Closed({ option: Type.String(), times_chosen: Count, share: Share }), Type.Null()],
    { description: 'The wrong option that is chosen most; null when none was.' },
  ),
  open_reports: Count,
  checked_at: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
    description: 'When its source was last checked.',
  }),
});
export type QualityItem = Static<typeof QualityItem>;

/** `GET /admin/quality` */
export const QualityResponse = Closed({
  questions: Type.Array(QualityItem, { description: 'The worst first.' }),
  total: Type.Integer(),
  page: Type.Integer({ minimum: 1 }),
  page_size: Type.Integer(),
  threshold: Type.Integer({ description: 'Answers from which figures are worth something.' }),
});
export type QualityResponse = Static<typeof QualityResponse>;

/** `GET /admin/quality/summary` */
export const QualitySummaryResponse = Closed({
  as_of: Timestamp,
  threshold: Type.Integer(),
  reasons: Closed({
    wrong_option_preferred: Count,
    reported: Count,
    negative_discrimination: Count,
    source_outdated: Count,
  }),
  total: Type.Integer({ description: 'Questions in the queue, each once.' }),
  measured: Type.Integer({ description: 'Questions with enough answers: those of the charts.' }),
  too_few: Type.Integer({ description: 'Questions with answers, but fewer than `threshold`.' }),
  facility: Type.Array(Closed({ from: Share, to: Share, questions: Count }), {
    minItems: 10,
    maxItems: 10,
    description: 'Ten bins of a tenth each; the last includes 1.',
  }),
  scatter: Type.Array(
    Closed({
      facility: Type.Number({ description: 'Middle of the bin: 0.05, 0.15, … 0.95.' }),
      discrimination: Type.Number({ description: 'Middle of the bin: -0.95, -0.85, … 0.95.' }),
      questions: Type.Integer({ minimum: 1 }),
    }),
    {
      maxItems: 200,
      description: 'Facility against discrimination, in bins of a tenth; empty bins are left out.',
    },
  ),
});
export type QualitySummaryResponse = Static<typeof QualitySummaryResponse>;

/** `POST /admin/quality/{question}/dismiss` */
export const DismissQualityRequest = Closed({ reason: Reason });
export type DismissQualityRequest = Static<typeof DismissQualityRequest>;

/** `POST /questions/{question}/correct-key` */
export const CorrectKeyRequest = Closed({
  version: Type.Integer({ minimum: 1, description: 'The version that was looked at.' }),
  answer: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'The new key: one of the options that count as wrong now.',
  }),
});
export type CorrectKeyRequest = Static<typeof CorrectKeyRequest>;

export const CorrectKeyResponse = Closed({
  id: Type.Integer(),
  version: Type.Integer({ description: 'The new one.' }),
  answer: Type.String(),
  incorrect: Type.Array(Type.String()),
  quizzes: Type.Integer({ description: 'Quizzes that will be regraded.' }),
  regrade_id: Uuid,
});
export type CorrectKeyResponse = Static<typeof CorrectKeyResponse>;
