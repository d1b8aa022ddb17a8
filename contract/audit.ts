import { Type, type Static } from 'typebox';
import { Closed, Timestamp, Uuid } from './common.ts';

// The log of what administrators did.

const Filter = Type.String({ minLength: 1, maxLength: 254 });

export const AuditQuery = Closed({
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'The `next_before` of the page before.' }),
  ),
  actor: Type.Optional(Filter),
  action: Type.Optional(Filter),
  subject: Type.Optional(Filter),
});
export type AuditQuery = Static<typeof AuditQuery>;

/** Something that an administrator did. */
const AuditEntry = Closed({
  id: Uuid,
  at: Timestamp,
  actor: Type.String({ description: "The administrator's address; – after two years." }),
  action: Type.String({ description: 'What was done, such as `settings.updated`.' }),
  subject: Type.String({
    description: 'What it was done to: an id, an address (– after two years), a name.',
  }),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Small facts. Where something was changed: `changes`, each field with `before` and `after`.',
  }),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditResponse = Closed({
  entries: Type.Array(AuditEntry, { description: 'The newest first; 50 at most.' }),
  next_before: Type.Union([Uuid, Type.Null()], { description: 'Null when there are no more.' }),
  actions: Type.Array(Type.String(), { description: 'Every action that was ever recorded.' }),
  actors: Type.Array(Type.String(), { description: 'Everybody who ever did one.' }),
});
export type AuditResponse = Static<typeof AuditResponse>;
