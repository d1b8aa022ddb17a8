import { Type, type Static } from 'typebox';
import { Closed, OrNull, QuestionLanguage, Timestamp, Uuid } from './common.ts';
import { CURRICULUM } from './curriculum.ts';

// Terms of item analysis. Item: a question as a measuring instrument. Facility: the share of right answers to it.
// Distractor: a wrong option. Discrimination: how strongly a right answer to the item correlates with right answers
// in the rest of the quiz, from -1 to 1.

/** Why a question is in the review queue, worst reason first. */
export const QUALITY_REASONS = [
  'wrong_option_preferred',
  'reported',
  'negative_discrimination',
  'fact_due',
  'source_outdated',
] as const;
export type QualityReason = (typeof QUALITY_REASONS)[number];

const Reason = Type.Enum(QUALITY_REASONS, {
  description:
    '`wrong_option_preferred`: a wrong option is chosen more often than the key. `reported`: has open reports. `negative_discrimination`: learners who do well otherwise get it wrong, significantly. `fact_due`: the year (`ages`) in which its fact is to be looked at again has come. `source_outdated`: its source was last checked more than a year ago.',
});
const Share = Type.Number({ minimum: 0, maximum: 1 });
const Count = Type.Integer({ minimum: 0 });

const itemAnalysis = {
  answers: Type.Integer({ minimum: 0, description: 'Counted answers.' }),
  too_few: Type.Boolean({
    description: 'Fewer answers than `threshold`: the statistics say little.',
  }),
  facility: Type.Union([Share, Type.Null()], {
    description: 'Share of right answers; null without answers.',
  }),
  quizzes: Type.Integer({
    minimum: 0,
    description: 'Ended quizzes that the discrimination is computed from.',
  }),
  discrimination: Type.Union([Type.Number({ minimum: -1, maximum: 1 }), Type.Null()], {
    description:
      'Corrected item-total correlation: between a right answer here and the share of right answers in the rest of the quiz. Null where it is undefined: with fewer than two quizzes, or when all answers are right or all wrong.',
  }),
};

const MeasuredDifficulty = OrNull(
  Closed({
    logits: Type.Number({ description: 'Above 0: harder than the average question.' }),
    answers: Type.Integer({ description: "Learners' first answers that it follows from." }),
  }),
  'How hard the question is for learners of the same ability, over all its versions; estimated once a day. Null while it is not measured.',
);
export type MeasuredDifficulty = Static<typeof MeasuredDifficulty>;

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
      'Has the same text, options and key as the current version, and is part of the statistics above.',
  }),
  corrected: Type.Boolean({
    description: 'Its key was wrong and was corrected later.',
  }),
  question: Type.String(),
  replaced_at: Type.Union([Timestamp, Type.Null()], {
    description: 'Null for the current version.',
  }),
  ...itemAnalysis,
  options: Type.Array(OptionShare, {
    description: 'The key first, then the distractors in their order in the bank.',
  }),
});
export type VersionStatistics = Static<typeof VersionStatistics>;

const Regrade = Closed({
  id: Uuid,
  requested_at: Timestamp,
  completed_at: Type.Union([Timestamp, Type.Null()], {
    description: 'Null while it is running.',
  }),
  quizzes: Type.Integer({ description: 'Quizzes processed so far.' }),
  changed: Type.Integer({ description: 'Ended quizzes whose score changed.' }),
});
export type Regrade = Static<typeof Regrade>;

const QuestionsByLanguage = Type.Record(QuestionLanguage, Count, {
  description: 'Validated, active questions by language; a language without any is left out.',
});

/** `GET /admin/quality/coverage` */
export const CoverageResponse = Closed({
  as_of: Timestamp,
  languages: Type.Array(QuestionLanguage, {
    description: 'Languages with validated, active questions; Norwegian first.',
  }),
  questions: QuestionsByLanguage,
  outside: Type.Record(QuestionLanguage, Count, {
    description: 'Questions without any tag of the curriculum, by language.',
  }),
  subjects: Type.Array(
    Closed({
      subject: Type.Enum(CURRICULUM.map(({ subject }) => subject)),
      questions: QuestionsByLanguage,
      tags: Type.Array(Closed({ tag: Type.String(), questions: QuestionsByLanguage })),
    }),
    {
      description:
        'The subjects of the curriculum, in its order. A question with tags of two subjects counts in both.',
    },
  ),
});
export type CoverageResponse = Static<typeof CoverageResponse>;

/** `GET /questions/{question}/statistics` */
export const QuestionStatisticsResponse = Closed({
  id: Type.Integer(),
  uuid: Uuid,
  question: Type.String(),
  topic: Type.String(),
  language: Type.String(),
  version: Type.Integer({ description: 'The current version; `correct-key` requires it.' }),
  threshold: Type.Integer({
    description: 'The number of answers from which statistics are reliable.',
  }),
  ...itemAnalysis,
  measured_difficulty: MeasuredDifficulty,
  options: Type.Array(OptionShare, {
    description: 'The key first, then the distractors in their order in the bank.',
  }),
  versions: Type.Array(VersionStatistics, {
    description: 'All versions with answers, and the current one; newest first.',
  }),
  regrade: Type.Union([Regrade, Type.Null()], {
    description: 'The regrade after the last correction of the key; null when there was none.',
  }),
});
export type QuestionStatisticsResponse = Static<typeof QuestionStatisticsResponse>;

export const QualityQuery = Closed({
  reason: Type.Optional(Reason),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'Further pages cannot be read.' }),
  ),
});
export type QualityQuery = Static<typeof QualityQuery>;

/** A question of the review queue, listed once with all its reasons. */
const QualityItem = Closed({
  id: Type.Integer(),
  uuid: Uuid,
  question: Type.String(),
  answer: Type.String({ description: 'The key.' }),
  topic: Type.String(),
  language: Type.String(),
  validated: Type.Boolean(),
  version: Type.Integer(),
  reasons: Type.Array(Reason, { minItems: 1, description: 'Worst first.' }),
  ...itemAnalysis,
  measured_difficulty: MeasuredDifficulty,
  key_share: Type.Union([Share, Type.Null()]),
  preferred_distractor: Type.Union(
    [Closed({ option: Type.String(), times_chosen: Count, share: Share }), Type.Null()],
    { description: 'The wrong option that is chosen most often; null when none was chosen.' },
  ),
  open_reports: Count,
  checked_at: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
    description: 'When its source was last checked.',
  }),
  ages: OrNull(
    Type.Integer({ description: 'The year in which its fact is to be looked at again.' }),
  ),
});
export type QualityItem = Static<typeof QualityItem>;

/** `GET /admin/quality` */
export const QualityResponse = Closed({
  questions: Type.Array(QualityItem, { description: 'Worst first.' }),
  total: Type.Integer(),
  page: Type.Integer({ minimum: 1 }),
  page_size: Type.Integer(),
  threshold: Type.Integer({
    description: 'The number of answers from which statistics are reliable.',
  }),
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
    fact_due: Count,
    source_outdated: Count,
  }),
  total: Type.Integer({ description: 'Questions in the queue, each counted once.' }),
  measured: Type.Integer({ description: 'Questions with enough answers; the charts show these.' }),
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
  version: Type.Integer({ minimum: 1, description: 'The version that the administrator saw.' }),
  answer: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'The new key: one of the current distractors.',
  }),
});
export type CorrectKeyRequest = Static<typeof CorrectKeyRequest>;

export const CorrectKeyResponse = Closed({
  id: Type.Integer(),
  version: Type.Integer({ description: 'The new version.' }),
  answer: Type.String(),
  incorrect: Type.Array(Type.String()),
  quizzes: Type.Integer({ description: 'Quizzes that will be regraded.' }),
  regrade_id: Uuid,
});
export type CorrectKeyResponse = Static<typeof CorrectKeyResponse>;
