import { Type, type Static } from 'typebox';
import { Closed, Timestamp } from './common.ts';

const AccountService = Closed({
  registered_at: Timestamp,
  service_expires_at: Type.Union([Timestamp, Type.Null()], {
    description: 'Null when no payment or grant has ever given this account service.',
  }),
  is_active: Type.Boolean({
    description: 'True while practising is allowed: service not expired, or the service is free.',
  }),
});

export const AccountResponse = Closed({
  account: AccountService,
  days_remaining: Type.Integer({
    minimum: 0,
    description: 'Whole days, rounded up; 0 means expired.',
  }),
  is_admin: Type.Boolean(),
  email: Type.String(),
  display_name: Type.Union([Type.String(), Type.Null()]),
});
export type AccountResponse = Static<typeof AccountResponse>;
