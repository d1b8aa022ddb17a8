import { Type, type Static } from 'typebox';
import { Access } from './account-export.ts';
import { ListedPayment } from './admin-payments.ts';
import { Closed, OrNull, Timestamp } from './common.ts';
import { MAX_NOTE_LENGTH } from './limits.ts';

// Users as administrators see them.

/** A user as administrators see them. */
export const User = Closed({
  uid: Type.String({ description: 'The id at the identity provider.' }),
  email: Type.String(),
  display_name: Type.Union([Type.String(), Type.Null()]),
  disabled: Type.Boolean({ description: 'Cannot sign in.' }),
  created_at: Timestamp,
  last_login: Type.Union([Timestamp, Type.Null()], { description: 'Null: never.' }),
  last_refresh: Type.Union([Timestamp, Type.Null()], {
    description: 'When a token was last refreshed.',
  }),
  quizzes: Type.Integer({
    minimum: 0,
    description: 'Open and ended quizzes, without cancelled ones.',
  }),
  last_active_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When the user last started or ended a quiz. Null: never.',
  }),
  service_expires_at: Type.Union([Timestamp, Type.Null()]),
  days_remaining: Type.Integer({ minimum: 0, description: 'Whole days, rounded up.' }),
  is_active: Type.Boolean({
    description: 'Whether the user may practise: service not expired, or the service is free.',
  }),
  is_self: Type.Boolean({
    description:
      'Whether this is the caller. Administrators can neither delete nor disable themselves.',
  }),
});
export type User = Static<typeof User>;

const USER_STATUSES = ['active', 'disabled'] as const;
const SERVICE_STATES = ['active', 'ended', 'none'] as const;
const USER_SORTS = ['email', 'registered', 'expires'] as const;

export const UsersQuery = Closed({
  page_token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'The `next_page_token` of the previous page of the same search.',
    }),
  ),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default 50.' })),
  email: Type.Optional(
    Type.String({
      maxLength: 254,
      // Control characters are in no address, and PostgreSQL refuses NUL.
      pattern: '^[^\\u0000-\\u001f]*$',
      description: 'Part of an address or a name. One or two characters match only its beginning.',
    }),
  ),
  status: Type.Optional(Type.Enum(USER_STATUSES)),
  service: Type.Optional(
    Type.Enum(SERVICE_STATES, {
      description: '`ended`: had service once; `none`: never had any.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum(USER_SORTS, {
      description:
        'By address; the newest registration first; or the service that ends first. Default with a search or ' +
        'filter: by address.',
    }),
  ),
});

export type UsersQuery = Static<typeof UsersQuery>;

export const UserParams = Closed({
  uid: Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\u0000-\\u001f]+$' }),
});

const PersonQuiz = Closed({
  id: Type.String(),
  kind: Type.Enum(['drill', 'practice_test']),
  topic: Type.String(),
  state: Type.Enum(['open', 'ended', 'cancelled']),
  started_at: Timestamp,
  ended_at: OrNull(Timestamp),
});

/** What support needs to help a learner. How well they do is theirs: only readiness, if they allow it. */
export const PersonResponse = Closed({
  user: User,
  quizzes: Type.Array(PersonQuiz, { description: 'Newest first, at most 20.' }),
  access: Type.Array(Access, {
    description: 'The days that the user was given, newest first.',
  }),
  shares_progress: Type.Boolean({
    description: 'Whether the learner lets support see how ready they are.',
  }),
  readiness: OrNull(
    Closed({
      probability: Type.Number({ minimum: 0, maximum: 1 }),
      low: Type.Number({ minimum: 0, maximum: 1 }),
      high: Type.Number({ minimum: 0, maximum: 1 }),
    }),
    'Null without permission, and while there are too few answers.',
  ),
  payments: Type.Array(ListedPayment, { description: 'Newest first, at most 50.' }),
  mails: Type.Array(
    Closed({
      id: Type.String(),
      kind: Type.String({ description: 'Such as `payment_confirmation`.' }),
      at: Timestamp,
      state: Type.Enum(['sent', 'refused', 'waiting']),
    }),
    { description: 'Newest first, at most 50.' },
  ),
});
export type PersonResponse = Static<typeof PersonResponse>;

/** The body may be left out. */
export const DisableUserRequest = Type.Union([
  Closed({
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_NOTE_LENGTH,
        pattern: '\\S',
        description: 'Sent to the user by mail, and stored in the audit log.',
      }),
    ),
  }),
  Type.Null(),
]);
export type DisableUserRequest = Static<typeof DisableUserRequest>;

const UserStatistics = Closed({
  total_users: Type.Integer({ minimum: 0, description: 'All users with an account here.' }),
  active_users: Type.Integer({ minimum: 0, description: 'Users who are not disabled.' }),
  users_with_activity: Type.Integer({
    minimum: 0,
    description: 'Users who have started a quiz; some seconds old.',
  }),
});

export const UsersResponse = Closed({
  users: Type.Array(User),
  next_page_token: Type.Union([Type.String(), Type.Null()], {
    description: 'Null on the last page.',
  }),
  stats: UserStatistics,
});
export type UsersResponse = Static<typeof UsersResponse>;
