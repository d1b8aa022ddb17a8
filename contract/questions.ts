import { type Static, Type } from 'typebox';
import { Closed, OrNull, QuestionLanguage, Timestamp, Uuid } from './common.ts';
import { Areas, Image, ImageAlt, ImageData } from './images.ts';
import { Year } from './imports.ts';
import {
  MAX_DISTRACTORS,
  MAX_EXCLUDED_GROUPS,
  MAX_EXPLANATION_LENGTH,
  MAX_SELECTED_IDS,
  MAX_TAGS,
  MAX_TEXT_LENGTH,
  MAX_TOPIC_LENGTH,
} from './limits.ts';

// Questions: for learners, the bank for administrators, and bulk changes.

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

const Text = (maxLength: number, description?: string) =>
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

const CheckedAt = Type.String({ format: 'date', description: 'When the source was last checked.' });
const ValidFrom = Type.String({ format: 'date', description: 'Since when the fact holds.' });
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

/**
 * All editable fields. The rules are those of an import row: 400 `validation_failed` has
 * `details.field` and `details.faults`, `[{ field, reason }]`. An optional field that is left out stays as
 * it is; reasons stay with their wrong answers. Without its picture, a question has no areas either.
 */
export const EditQuestionRequest = Closed({
  version: Type.Integer({
    minimum: 1,
    description:
      'The version that was edited; 409 `question_changed` if it is no longer the current one.',
  }),
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The revision that was edited; checked like `version`.',
    }),
  ),
  question: Text(MAX_TEXT_LENGTH),
  answer: Text(MAX_TEXT_LENGTH),
  incorrect: Type.Array(Text(MAX_TEXT_LENGTH), { minItems: 1, maxItems: MAX_DISTRACTORS }),
  topic: Topic(),
  explanation: OrNull(Type.String({ maxLength: MAX_EXPLANATION_LENGTH })),
  source_url: OrNull(Type.String({ maxLength: MAX_TEXT_LENGTH })),
  checked_at: OrNull(CheckedAt),
  tags: Type.Array(Text(MAX_TEXT_LENGTH), { maxItems: MAX_TAGS }),
  incorrect_reasons: Type.Optional(
    OrNull(Type.Array(OrNull(Text(MAX_TEXT_LENGTH)), { maxItems: MAX_DISTRACTORS })),
  ),
  source_title: Type.Optional(OrNull(Text(MAX_TEXT_LENGTH))),
  excludes: Type.Optional(Type.Array(Text(MAX_TEXT_LENGTH), { maxItems: MAX_EXCLUDED_GROUPS })),
  valid_from: Type.Optional(OrNull(ValidFrom)),
  ages: Type.Optional(OrNull(Year)),
  image: Type.Optional(OrNull(ImageData)),
  image_alt: Type.Optional(OrNull(ImageAlt)),
  areas: Type.Optional(OrNull(Areas)),
});
export type EditQuestionRequest = Static<typeof EditQuestionRequest>;

const { version: _version, revision: _revision, ...editable } = EditQuestionRequest.properties;

/** A question that an editor writes, under the rules of `EditQuestionRequest`. It is pending. */
export const CreateQuestionRequest = Closed({
  language: QuestionLanguage,
  ...editable,
  translation_of: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The id of the question that this translates: both are then in one group.',
    }),
  ),
  picture_of: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The id of a question whose picture this one gets, if `image` is left out.',
    }),
  ),
});
export type CreateQuestionRequest = Static<typeof CreateQuestionRequest>;

export const QuestionVersionParams = Closed({
  question: Type.Union([Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Uuid]),
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const RestoreVersionRequest = Closed({
  version: Type.Integer({
    minimum: 1,
    description: 'The current version; 409 `question_changed` if it is another by now.',
  }),
});
export type RestoreVersionRequest = Static<typeof RestoreVersionRequest>;

export const SiblingsResponse = Closed({
  siblings: Type.Array(
    Closed({
      question: BankQuestion,
      before: OrNull(
        QuestionVersion,
        'What it said when the two were last in line: when an editor said so, or when this question was last changed. Null when it still says so.',
      ),
    }),
    { description: 'The same question in other languages, by language; retired ones last.' },
  ),
});
export type SiblingsResponse = Static<typeof SiblingsResponse>;

export const SiblingParams = Closed({
  question: QuestionVersionParams.properties.question,
  sibling: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

export const PresenceRequest = Closed({
  writing: Type.Boolean({ description: 'Whether there is typed text that is not saved.' }),
});
export type PresenceRequest = Static<typeof PresenceRequest>;

export const PresenceResponse = Closed({
  others: Type.Array(Closed({ email: Type.String(), writing: Type.Boolean() }), {
    description: 'The other editors who have the question open, by address.',
  }),
});
export type PresenceResponse = Static<typeof PresenceResponse>;

export const ValidateQuestionRequest = Closed({
  validated: Type.Boolean({ description: 'False withdraws the validation.' }),
});
export type ValidateQuestionRequest = Static<typeof ValidateQuestionRequest>;

export const QuestionTopicRequest = Closed({ topic: Topic() });
export type QuestionTopicRequest = Static<typeof QuestionTopicRequest>;

export const DeleteQuestionResponse = Closed({
  ok: Type.Literal(true),
  retired: Type.Boolean({
    description:
      'True: quizzes or reports refer to it, so it was retired and can be restored. False: it was deleted.',
  }),
});
export type DeleteQuestionResponse = Static<typeof DeleteQuestionResponse>;

/** The exported file, which can be imported as it is. */
export const QuestionExportQuery = Closed({
  format: Type.Union([Type.Literal('json'), Type.Literal('csv')]),
  ...filters,
});
export type QuestionExportQuery = Static<typeof QuestionExportQuery>;

export const QUESTION_CHANGE_ACTIONS = [
  'validate',
  'unvalidate',
  'retire',
  'restore',
  'retopic',
  'add_tags',
  'remove_tags',
  'set_language',
  'set_source',
  'set_checked',
] as const;
export type QuestionChangeAction = (typeof QUESTION_CHANGE_ACTIONS)[number];

/**
 * - `running`, then `completed`
 * - `cancelled`: stopped; what was changed stays, and can be undone
 * - `undoing`, then `undone`
 */
const QUESTION_CHANGE_STATES = ['running', 'completed', 'cancelled', 'undoing', 'undone'] as const;
export type QuestionChangeState = (typeof QUESTION_CHANGE_STATES)[number];

const Selection = Type.Union([
  Closed({
    ids: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      minItems: 1,
      maxItems: MAX_SELECTED_IDS,
    }),
  }),
  Closed({ import_id: Uuid }, { description: 'All questions of an import.' }),
  Closed({ filter: QuestionFilter }, { description: 'All questions that match this filter.' }),
]);
export type QuestionSelection = Static<typeof Selection>;

const ChangeValues = Closed(
  {
    tags: Type.Optional(
      Type.Array(Text(MAX_TEXT_LENGTH), { minItems: 1, maxItems: MAX_TAGS, uniqueItems: true }),
    ),
    language: Type.Optional(QuestionLanguage),
    source_url: Type.Optional(
      OrNull(Type.String({ maxLength: MAX_TEXT_LENGTH, pattern: '^https?://' })),
    ),
    source_title: Type.Optional(OrNull(Text(MAX_TEXT_LENGTH))),
    checked_at: Type.Optional(OrNull(CheckedAt)),
  },
  {
    description:
      '`tags` for `add_tags` and `remove_tags`, `language` for `set_language`, `source_url` and `source_title` for `set_source`, `checked_at` for `set_checked`.',
  },
);
export type ChangeValues = Static<typeof ChangeValues>;

export const QuestionChangeRequest = Closed({
  action: Type.Enum(QUESTION_CHANGE_ACTIONS),
  topic: Type.Optional(Topic('For `retopic`, and only there.')),
  values: Type.Optional(ChangeValues),
  selection: Selection,
});
export type QuestionChangeRequest = Static<typeof QuestionChangeRequest>;

/** A bulk change of questions. */
export const QuestionChange = Closed({
  id: Uuid,
  action: Type.Enum(QUESTION_CHANGE_ACTIONS),
  topic: OrNull(Type.String({ description: 'The new topic, for `retopic`.' })),
  values: ChangeValues,
  selection: Selection,
  actor: Type.String({ description: "The administrator's address." }),
  state: Type.Enum(QUESTION_CHANGE_STATES),
  total: Type.Integer({ description: 'Selected questions.' }),
  done: Type.Integer({ description: 'Questions processed so far.' }),
  changed: Type.Integer({
    description:
      'Questions that were changed. The others were in the target state already, have too many tags, or could not be restored or get the language because their text is in the bank already. Counts down during an undo.',
  }),
  created_at: Timestamp,
  ended_at: OrNull(Timestamp),
  undone_by: OrNull(Type.String()),
});
export type QuestionChange = Static<typeof QuestionChange>;

export const QuestionChangeParams = Closed({ id: Uuid });

export const QuestionChangesResponse = Closed({
  changes: Type.Array(QuestionChange, { description: 'Newest first, at most 20.' }),
});
export type QuestionChangesResponse = Static<typeof QuestionChangesResponse>;
