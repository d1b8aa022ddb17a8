import { Type, type Static } from 'typebox';
import { Closed, Day, Timestamp, Uuid } from './common.ts';

// The audit log of administrators' actions.

const Filter = Type.String({ minLength: 1, maxLength: 254 });

export const AuditQuery = Closed({
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'The `next_before` of the previous page.' }),
  ),
  actor: Type.Optional(Filter),
  action: Type.Optional(Filter),
  subject: Type.Optional(Filter),
  from: Type.Optional(Day('The first day, from midnight in Oslo.')),
  to: Type.Optional(Day('The last day, to its end in Oslo.')),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      // PostgreSQL refuses NUL.
      pattern: '^[^\\u0000-\\u001f]*$',
      description: 'Part of the subject, the administrator or the details.',
    }),
  ),
  search_actions: Type.Optional(
    Type.String({
      maxLength: 4000,
      pattern: '^[a-z_.,]*$',
      description:
        'Actions, separated by commas, which `search` finds too: their names in words are not in the log.',
    }),
  ),
  export: Type.Optional(
    Type.Boolean({
      description: 'Whether the entries are exported: the first page is then recorded in the log.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Entries on a page; default 50.' }),
  ),
});
export type AuditQuery = Static<typeof AuditQuery>;

/** An action of an administrator. */
const AuditEntry = Closed({
  id: Uuid,
  at: Timestamp,
  actor: Type.String({
    description: "The administrator's address; replaced by – after two years.",
  }),
  action: Type.String({ description: 'What was done, such as `settings.updated`.' }),
  subject: Type.String({
    description:
      'What the action was on: an id, an address (replaced by – after two years), a name.',
  }),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Details of the action. For a change: `changes`, each field with `before` and `after`.',
  }),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditResponse = Closed({
  entries: Type.Array(AuditEntry, { description: 'Newest first.' }),
  next_before: Type.Union([Uuid, Type.Null()], { description: 'Null on the last page.' }),
  actions: Type.Array(Type.String(), { description: 'All actions in the log.' }),
  actors: Type.Array(Type.String(), { description: 'All administrators in the log.' }),
});
export type AuditResponse = Static<typeof AuditResponse>;
