import type { AccountResponse } from '../account.ts';
import type { OperationDocs } from './operation.ts';
import { DEMO_EMAIL, DEMO_NAME, REGISTERED_AT } from './values.ts';

export const readAccount: OperationDocs<never, AccountResponse> = {
  operationId: 'readAccount',
  description:
    'A first call by somebody who never registered (a Google sign-in, say) makes an account without service.',
  examples: {
    active: {
      summary: 'A learner with 30 days of service',
      answer: {
        account: {
          registered_at: REGISTERED_AT,
          service_expires_at: '2026-02-14T08:30:00.000Z',
          is_active: true,
        },
        days_remaining: 30,
        is_admin: false,
        email: DEMO_EMAIL,
        display_name: DEMO_NAME,
      },
    },
    without_service: {
      summary: 'Somebody who signed in and never paid',
      answer: {
        account: { registered_at: REGISTERED_AT, service_expires_at: null, is_active: false },
        days_remaining: 0,
        is_admin: false,
        email: DEMO_EMAIL,
        display_name: DEMO_NAME,
      },
    },
  },
};
