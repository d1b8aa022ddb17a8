import { type Static, Type } from 'typebox';
import { Closed, Day, OrNull, QuestionLanguage, RowId, Timestamp, Uuid } from './common.ts';
import { MAX_SELECTED_IDS, MAX_TAGS, MAX_TEXT_LENGTH } from './limits.ts';
import { QuestionFilter, Text, Topic } from './questions.ts';

// Bulk changes of questions.

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
    ids: Type.Array(RowId, {
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
    checked_at: Type.Optional(OrNull(Day('When the source was last checked.'))),
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
