import type { Static } from 'typebox';
import type {
  AccountResponse,
  ChangeEmailRequest,
  ChangePasswordRequest,
  ChangeProfileRequest,
} from '@proveklar/contract/account.ts';
import type { Ok } from '@proveklar/contract/common.ts';
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
        waiting_days: [],
        is_admin: false,
        email: DEMO_EMAIL,
        display_name: DEMO_NAME,
        language: 'no',
      },
    },
    without_service: {
      summary: 'Somebody who signed in and never paid',
      answer: {
        account: { registered_at: REGISTERED_AT, service_expires_at: null, is_active: false },
        days_remaining: 0,
        waiting_days: [],
        is_admin: false,
        email: DEMO_EMAIL,
        display_name: DEMO_NAME,
        language: 'no',
      },
    },
  },
};

export const changeProfile: OperationDocs<ChangeProfileRequest, AccountResponse> = {
  operationId: 'changeProfile',
  description:
    'The name is told to the sign-in service as well. When that fails the name is saved all the same, which `details.saved` says; the same call tells it again. An account makes 60 changes an hour, unless configured otherwise; each choice of the language on the screen is one.',
  examples: {
    changed: {
      summary: 'Another name, and mails in English',
      body: { display_name: 'Demo Demosen', language: 'en' },
      answer: {
        account: {
          registered_at: REGISTERED_AT,
          service_expires_at: '2026-02-14T08:30:00.000Z',
          is_active: true,
        },
        days_remaining: 30,
        waiting_days: [],
        is_admin: false,
        email: DEMO_EMAIL,
        display_name: 'Demo Demosen',
        language: 'en',
      },
    },
  },
  errors: {
    rate_limited: { details: { retry_after_s: 3600 } },
    identity_provider_failed: {
      error: 'The name is saved, but not yet at the sign-in service. Save it again.',
      details: { saved: true },
    },
  },
};

export const changePassword: OperationDocs<ChangePasswordRequest, Static<typeof Ok>> = {
  operationId: 'changePassword',
  description:
    'Changes the password and ends all sessions of the account: when this answers, older tokens are refused with 401 everywhere, the one of this call too, live updates end, and a new sign-in is needed. The sign-in may be five minutes old at most. Counted with the changes of the profile. After `identity_provider_failed` the password may be the new one; sessions then end within a minute.',
  examples: {
    changed: {
      summary: 'Another password; sign in with it',
      body: { password: 'et annet godt passord' },
      answer: { ok: true },
    },
  },
  errors: {
    recent_sign_in_required: {},
    password_refused: {},
    rate_limited: { details: { retry_after_s: 3600 } },
    identity_provider_failed: {},
  },
};

export const changeEmail: OperationDocs<ChangeEmailRequest, Static<typeof Ok>> = {
  operationId: 'changeEmail',
  description:
    'Mails a link to the new address. When it is opened, the address is changed and older sessions end; until then the old one holds. Answers the same, and mails nothing, for an address that another user has. The sign-in may be five minutes old at most. Counted with the changes of the profile.',
  examples: {
    asked: {
      summary: 'A link is on its way to the new address',
      body: { email: 'kari.nordmann@example.no' },
      answer: { ok: true },
    },
  },
  errors: {
    recent_sign_in_required: {},
    email_refused: {},
    rate_limited: { details: { retry_after_s: 3600 } },
    identity_provider_failed: {},
  },
};

export const deleteAccount: OperationDocs<never, Static<typeof Ok>> = {
  operationId: 'deleteAccount',
  description:
    'Removes the quizzes, answers and reports of whoever is signed in, and their identity. Payments stay, without name and address. A mail confirms it. The sign-in may be five minutes old at most. May be repeated, also with a token of the deleted user: what was interrupted is then completed.',
  examples: { deleted: { summary: 'Nothing but receipts is left', answer: { ok: true } } },
  errors: {
    recent_sign_in_required: {},
    cannot_delete_self: {},
    user_not_found: {},
    identity_provider_failed: {},
    payment_provider_failed: {},
  },
};
