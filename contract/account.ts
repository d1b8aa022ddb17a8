import { Type, type Static } from 'typebox';
import { Closed, Email, Language, Timestamp } from './common.ts';
import { MAX_NAME_LENGTH } from './limits.ts';
import { Role } from './roles.ts';

// A learner's own account: reading and changing it.

const AccountService = Closed({
  registered_at: Timestamp,
  service_expires_at: Type.Union([Timestamp, Type.Null()], {
    description: 'Null when the account has never had a payment or a grant; it counts as expired.',
  }),
  is_active: Type.Boolean({
    description: 'Whether the learner may practise: service not expired, or the service is free.',
  }),
});

export const WaitingDays = Type.Array(
  Closed({ begins_at: Timestamp, days: Type.Integer({ minimum: 1 }) }),
  {
    description:
      'Days that are paid for and begin later, in the order of their start; not part of `days_remaining`. This happens with a payment without `consent_version` from an address or a card that was used to withdraw from a purchase within the last two years: its days begin when its withdrawal period is over.',
  },
);

export const AccountResponse = Closed({
  account: AccountService,
  days_remaining: Type.Integer({
    minimum: 0,
    description: 'Whole days, rounded up; 0 means expired.',
  }),
  waiting_days: WaitingDays,
  is_admin: Type.Boolean({ description: 'Whether this is an owner.' }),
  role: Type.Union([Role, Type.Null()], {
    description: 'The role in the portal. Null: a learner.',
  }),
  email: Type.String(),
  display_name: Type.Union([Type.String(), Type.Null()]),
  language: Type.Union(Language.anyOf, { description: 'The language of mails to the learner.' }),
});
export type AccountResponse = Static<typeof AccountResponse>;

/** Fields that are left out stay as they are. */
export const ChangeProfileRequest = Closed({
  display_name: Type.Optional(
    Type.Union(
      [Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: '\\S' }), Type.Null()],
      {
        description: 'Trimmed; null removes the name.',
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
    description: 'The new password. A weak one is refused with `password_refused`.',
  }),
});
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>;

export const ChangeEmailRequest = Closed({ email: Email });
export type ChangeEmailRequest = Static<typeof ChangeEmailRequest>;
