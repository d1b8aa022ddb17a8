import { type Static, Type } from 'typebox';
import { Closed, OrNull, QuestionLanguage, Timestamp, Uuid } from './common.ts';
import { Areas, Image } from './images.ts';
import { MAX_TOPIC_LENGTH } from './limits.ts';

// Questions: for learners, and the bank for administrators.

/** A topic in a request. */
export const Topic = (description?: string) =>
  Type.String({ minLength: 1, maxLength: MAX_TOPIC_LENGTH, ...(description && { description }) });

export const TopicsQuery = Closed({ language: Type.Optional(QuestionLanguage) });

export const TopicsResponse = Closed({
  topics: Type.Array(Type.String(), {
    description:
      'Topics with at least one validated question, in Norwegian alphabetical order; none in a language that is not offered.',
  }),
  coverage: OrNull(
    Closed({
      fallback: QuestionLanguage,
      questions: Type.Integer({ description: 'Validated questions in the language.' }),
      total: Type.Integer({
        description: 'These, and the validated questions that exist in the fallback only.',
      }),
      topics: Type.Array(Closed({ topic: Type.String(), questions: Type.Integer() })),
    }),
    'How much of the bank exists in the language, if it has a fallback: a practice test takes the questions that it lacks from there, a drill has its own questions only. Otherwise null.',
  ),
});
export type TopicsResponse = Static<typeof TopicsResponse>;

/** A text that a request must not leave empty. */
export const Text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description && { description }) });

export const VALIDATION_STATES = ['validated', 'pending'] as const;
export type ValidationState = (typeof VALIDATION_STATES)[number];

export const QUESTION_STATES = ['active', 'retired', 'all'] as const;
export type QuestionState = (typeof QUESTION_STATES)[number];

export const QUESTION_SORTS = [
  'newest',
  'oldest',
  'most_selected',
  'least_selected',
  'lowest_correct',
  'topic',
] as const;
export type QuestionSort = (typeof QUESTION_SORTS)[number];

const filters = {
  topic: Type.Optional(Topic()),
  language: Type.Optional(QuestionLanguage),
  validation: Type.Optional(Type.Enum(VALIDATION_STATES)),
  min_correct: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Percent. A question without answers matches only 0.',
    }),
  ),
  max_selected: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Draws into a quiz.' }),
  ),
  search: Type.Optional(
    Text(
      200,
      'Part of the question, an option, the explanation or a tag, case-insensitive; or the id or the uuid.',
    ),
  ),
  import_id: Type.Optional(Uuid),
  state: Type.Optional(Type.Enum(QUESTION_STATES, { description: 'Default: `active`.' })),
  reported: Type.Optional(Type.Boolean({ description: 'Whether a learner has ever reported it.' })),
};

/** A filter for the questions of the bank. Questions of unfinished imports never match. */
export const QuestionFilter = Closed(filters);
export type QuestionFilter = Static<typeof QuestionFilter>;

export const QuestionsQuery = Closed({
  quiz_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: "One of the caller's quizzes; the other parameters are for admins.",
    }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 20.' })),
  sort: Type.Optional(Type.Enum(QUESTION_SORTS, { description: 'Default: `newest`.' })),
  ...filters,
});
export type QuestionsQuery = Static<typeof QuestionsQuery>;

/** Why an answer is right or wrong. A gateway of the previous version leaves out what is optional. */
export const Why = {
  explanation: Type.Union([Type.String(), Type.Null()]),
  reasons: Type.Optional(
    Type.Array(Closed({ option: Type.String(), reason: Type.String() }), {
      description:
        'Why the wrong options that were shown are wrong; those without a reason are left out.',
    }),
  ),
  source_url: Type.Union([Type.String(), Type.Null()]),
  source_title: Type.Optional(OrNull(Type.String())),
  checked_at: Type.Optional(
    OrNull(Type.String({ format: 'date', description: 'When the source was last checked.' })),
  ),
};

/** The picture of a question. A gateway of the previous version leaves it out. */
export const Picture = {
  image: Type.Optional(OrNull(Image)),
  areas: Type.Optional(
    OrNull(Areas, 'Where the options are in the picture, in their order; null without areas.'),
  ),
};

/** A question with its key. Learners get it only after the quiz has ended. */
const Question = Closed({
  id: Type.Integer(),
  uuid: Uuid,
  question: Type.String(),
  answer: Type.String(),
  incorrect: Type.Array(Type.String(), { description: 'The wrong answers that the quiz showed.' }),
  topic: Type.String(),
  language: Type.String(),
  ...Picture,
  ...Why,
});

/** The response for a learner. */
export const QuestionsResponse = Closed({
  questions: Type.Array(Question),
  total: Type.Integer(),
  page: Type.Integer({ minimum: 1 }),
});
export type QuestionsResponse = Static<typeof QuestionsResponse>;

// Not `Day`: the year 0 is answered with the field's fault, as in a row of a file.
export const CheckedAt = Type.String({
  format: 'date',
  description: 'When the source was last checked.',
});
export const ValidFrom = Type.String({ format: 'date', description: 'Since when the fact holds.' });
const AGES = 'The year in which the fact is to be looked at again.';

/** What a question may have beside its texts. */
const optionalContent = {
  incorrect_reasons: OrNull(
    Type.Array(OrNull(Type.String()), {
      description:
        'Why each wrong answer is wrong, in the order of `incorrect`; null without any reason.',
    }),
  ),
  source_title: OrNull(Type.String()),
  excludes: Type.Array(Type.String(), {
    description: 'Groups whose questions must not stand in the same test.',
  }),
  valid_from: OrNull(ValidFrom),
  ages: OrNull(Type.Integer({ description: AGES })),
  image: OrNull(Image),
  areas: OrNull(Areas),
};

/** A question as administrators see it. */
export const BankQuestion = Closed({
  id: Type.Integer(),
  uuid: Uuid,
  question: Type.String(),
  answer: Type.String({ description: 'The key.' }),
  incorrect: Type.Array(Type.String(), { description: 'Best distractors first.' }),
  topic: Type.String(),
  language: Type.String(),
  validated: Type.Boolean(),
  retired_at: OrNull(Timestamp),
  version: Type.Integer({ minimum: 1 }),
  revision: Type.Integer({
    minimum: 1,
    description: 'Counts all edits, also those that make no new version.',
  }),
  times_selected: Type.Integer(),
  times_correct: Type.Integer(),
  times_incorrect: Type.Integer(),
  times_reported: Type.Integer(),
  correct_percent: OrNull(Type.Number({ description: 'With one decimal; null without answers.' })),
  explanation: OrNull(Type.String()),
  source_url: OrNull(Type.String()),
  checked_at: OrNull(CheckedAt),
  ...optionalContent,
  tags: Type.Array(Type.String()),
  group: OrNull(Type.String({ description: 'The same for translations of the question.' })),
  import_id: OrNull(Uuid),
  created_at: Timestamp,
  updated_at: OrNull(
    Type.String({ format: 'date-time', description: 'Null when it was never edited.' }),
  ),
  is_used: Type.Boolean({
    description:
      'Whether a quiz or a report refers to it: then DELETE retires it instead of deleting it.',
  }),
  merged_into: OrNull(
    Type.Integer({
      description:
        'The near-duplicate with the same answer that it was merged into when it was retired: its statistics and what learners remember of it count there. Null for none.',
    }),
  ),
});
export type BankQuestion = Static<typeof BankQuestion>;

/** The response for an administrator: a page of questions. */
export const QuestionBankResponse = Closed({
  questions: Type.Array(BankQuestion),
  total: Type.Integer({ description: 'Questions that match.' }),
  page: Type.Integer({ minimum: 1 }),
});
export type QuestionBankResponse = Static<typeof QuestionBankResponse>;

export const QuestionFiltersResponse = Closed({
  topics: Type.Array(Type.String(), {
    description:
      'All topics of the bank, including those of pending and retired questions, in order.',
  }),
  languages: Type.Array(Type.String()),
  languages_not_offered: Type.Array(Type.String(), {
    description: 'The languages in which learners cannot practise.',
  }),
});
export type QuestionFiltersResponse = Static<typeof QuestionFiltersResponse>;

export const BankTopicsResponse = Closed({
  topics: Type.Array(
    Closed({
      topic: Type.String(),
      language: Type.String(),
      questions: Type.Integer({ description: 'Active questions, pending ones included.' }),
      pending: Type.Integer(),
    }),
    { description: 'By topic in Norwegian alphabetical order, then by language.' },
  ),
});
export type BankTopicsResponse = Static<typeof BankTopicsResponse>;

/** A version of a question. The newest is the current content. */
export const QuestionVersion = Closed({
  version: Type.Integer({ minimum: 1 }),
  language: Type.String(),
  topic: Type.String(),
  question: Type.String(),
  answer: Type.String(),
  incorrect: Type.Array(Type.String()),
  explanation: OrNull(Type.String()),
  source_url: OrNull(Type.String()),
  checked_at: OrNull(CheckedAt),
  ...optionalContent,
  corrected: Type.Boolean({ description: 'Its key was wrong, and quizzes were regraded.' }),
  corrected_answer: OrNull(
    Type.String({ description: 'The right key; null with `corrected`: all options were wrong.' }),
  ),
  created_at: Timestamp,
  created_by: OrNull(Type.String({ description: "The administrator's address." })),
  import_id: OrNull(
    Type.String({ format: 'uuid', description: 'The import that created this version.' }),
  ),
});
export type QuestionVersion = Static<typeof QuestionVersion>;

export const QuestionVersionsResponse = Closed({
  versions: Type.Array(QuestionVersion, { description: 'Newest first.' }),
});
export type QuestionVersionsResponse = Static<typeof QuestionVersionsResponse>;

/** The exported file, which can be imported as it is. */
export const QuestionExportQuery = Closed({
  format: Type.Union([Type.Literal('json'), Type.Literal('csv')]),
  ...filters,
});
export type QuestionExportQuery = Static<typeof QuestionExportQuery>;
