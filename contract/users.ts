import { Type, type Static } from 'typebox';
import { Closed, Timestamp } from './common.ts';
import { MAX_NOTE_LENGTH } from './limits.ts';

// Users as administrators see them.

/** Somebody as an administrator sees them. */
export const User = Closed({
  uid: Type.String({ description: 'What the identity provider calls them.' }),
  email: Type.String(),
  display_name: Type.Union([Type.String(), Type.Null()]),
  disabled: Type.Boolean({ description: 'May not come in.' }),
  created_at: Timestamp,
  last_login: Type.Union([Timestamp, Type.Null()], { description: 'Null: never.' }),
  last_refresh: Type.Union([Timestamp, Type.Null()], {
    description: 'When a token was last made from a refresh token.',
  }),
  quizzes: Type.Integer({ minimum: 0, description: 'Open and ended ones; no cancelled ones.' }),
  last_active_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When they last began or ended a quiz. Null: never.',
  }),
  service_expires_at: Type.Union([Timestamp, Type.Null()]),
  days_remaining: Type.Integer({ minimum: 0, description: 'Whole days, rounded up.' }),
  is_active: Type.Boolean({
    description: 'May practise: service not expired, or the service is free.',
  }),
  is_self: Type.Boolean({ description: 'Is the caller, who can neither delete nor disable it.' }),
});
export type User = Static<typeof User>;

export const UsersQuery = Closed({
  page_token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'The `next_page_token` of the page before, of the same search.',
    }),
  ),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default 50.' })),
  email: Type.Optional(
    Type.String({
      maxLength: 254,
      // What no address has and PostgreSQL does not take.
      pattern: '^[^\\u0000-\\u001f]*$',
      description:
        'Part of an address. One or two characters are looked for at its beginning only.',
    }),
  ),
});

export const UserParams = Closed({
  uid: Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\u0000-\\u001f]+$' }),
});

/** The body may be left out. */
export const DisableUserRequest = Type.Union([
  Closed({
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_NOTE_LENGTH,
        pattern: '\\S',
        description: 'Told to the user by mail, and kept in the audit log.',
      }),
    ),
  }),
  Type.Null(),
]);
export type DisableUserRequest = Static<typeof DisableUserRequest>;

const UserStatistics = Closed({
  total_users: Type.Integer({ minimum: 0, description: 'Everybody who has an account here.' }),
  active_users: Type.Integer({ minimum: 0, description: 'Those who are not disabled.' }),
  users_with_activity: Type.Integer({
    minimum: 0,
    description: 'Those who have begun a quiz; some seconds old.',
  }),
});

export const UsersResponse = Closed({
  users: Type.Array(User),
  next_page_token: Type.Union([Type.String(), Type.Null()], { description: 'Null: no more.' }),
  stats: UserStatistics,
});
export type UsersResponse = Static<typeof UsersResponse>;
