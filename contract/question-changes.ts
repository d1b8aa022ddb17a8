import { Type, type Static, type TSchema } from 'typebox';
import { Closed, Timestamp, Uuid } from './common.ts';
import { QuestionFilter } from './questions.ts';
import { Topic } from './topics.ts';

const OrNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

export const QUESTION_CHANGE_ACTIONS = [
  'validate',
  'unvalidate',
  'retire',
  'restore',
  'retopic',
] as const;
export type QuestionChangeAction = (typeof QUESTION_CHANGE_ACTIONS)[number];

/**
 * - `running`, then `completed`
 * - `cancelled`: stopped half way; what was changed stays so, and can be undone
 * - `undoing`, then `undone`
 */
const QUESTION_CHANGE_STATES = ['running', 'completed', 'cancelled', 'undoing', 'undone'] as const;

const Selection = Type.Union([
  Closed({
    ids: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      minItems: 1,
      maxItems: 1000,
    }),
  }),
  Closed({ import_id: Uuid }, { description: 'All questions of an import.' }),
  Closed({ filter: QuestionFilter }, { description: 'All that the list finds with this filter.' }),
]);
export type QuestionSelection = Static<typeof Selection>;

export const QuestionChangeRequest = Closed({
  action: Type.Enum(QUESTION_CHANGE_ACTIONS),
  topic: Type.Optional(Topic('For `retopic`, and only there.')),
  selection: Selection,
});
export type QuestionChangeRequest = Static<typeof QuestionChangeRequest>;

/** A change of many questions at once. */
export const QuestionChange = Closed({
  id: Uuid,
  action: Type.Enum(QUESTION_CHANGE_ACTIONS),
  topic: OrNull(Type.String({ description: 'The new one, of `retopic`.' })),
  selection: Selection,
  actor: Type.String({ description: "The administrator's address." }),
  state: Type.Enum(QUESTION_CHANGE_STATES),
  total: Type.Integer({ description: 'Questions that were selected.' }),
  done: Type.Integer({ description: 'Questions that were looked at so far.' }),
  changed: Type.Integer({
    description:
      'Questions that became another; the rest were so already, or could not be restored because their text is in the bank again. Counts down while it is undone.',
  }),
  created_at: Timestamp,
  ended_at: OrNull(Timestamp),
  undone_by: OrNull(Type.String()),
});
export type QuestionChange = Static<typeof QuestionChange>;

export const QuestionChangeParams = Closed({ id: Uuid });

export const QuestionChangesResponse = Closed({
  changes: Type.Array(QuestionChange, { description: 'The newest first, at most 20.' }),
});
export type QuestionChangesResponse = Static<typeof QuestionChangesResponse>;
