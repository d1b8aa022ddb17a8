import { Type, type Static } from 'typebox';
import { Closed, Email, Language, Timestamp } from './common.ts';
import { MAX_NAME_LENGTH } from './limits.ts';

// The own account: what a learner reads of it and changes.

const AccountService = Closed({
  registered_at: Timestamp,
  service_expires_at: Type.Union([Timestamp, Type.Null()], {
    description:
      'Null when no payment or grant has ever given this account service: that counts as expired.',
  }),
  is_active: Type.Boolean({
    description: 'True while practising is allowed: service not expired, or the service is free.',
  }),
});

export const WaitingDays = Type.Array(
  Closed({ begins_at: Timestamp, days: Type.Integer({ minimum: 1 }) }),
  {
    description:
      'Days that are paid for and begin later, the first to begin first; not part of `days_remaining`. So it is with a payment without `consent_version` from an address or a card that has withdrawn from a purchase within two years: its days begin when its withdrawal period is over.',
  },
);

export const AccountResponse = Closed({
  account: AccountService,
  days_remaining: Type.Integer({
    minimum: 0,
    description: 'Whole days, rounded up; 0 means expired.',
  }),
  waiting_days: WaitingDays,
  is_admin: Type.Boolean(),
  email: Type.String(),
  display_name: Type.Union([Type.String(), Type.Null()]),
  language: Type.Union(Language.anyOf, { description: 'What we write to the learner in.' }),
});
export type AccountResponse = Static<typeof AccountResponse>;

/** What is left out stays as it is. */
export const ChangeProfileRequest = Closed({
  display_name: Type.Optional(
    Type.Union(
      [Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: '\\S' }), Type.Null()],
      {
        description: 'Trimmed; null takes the name away.',
      },
    ),
  ),
  language: Type.Optional(Language),
});
export type ChangeProfileRequest = Static<typeof ChangeProfileRequest>;

export const ChangePasswordRequest = Closed({
  password: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'The new one. What is too weak is refused with `password_refused`.',
  }),
});
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>;

export const ChangeEmailRequest = Closed({ email: Email });
export type ChangeEmailRequest = Static<typeof ChangeEmailRequest>;
