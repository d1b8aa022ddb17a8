import type { Static } from 'typebox';
import type { AccountExport } from '@proveklar/contract/account-export.ts';
import type {
  AccountResponse,
  ChangeEmailRequest,
  ChangePasswordRequest,
  ChangeProfileRequest,
} from '@proveklar/contract/account.ts';
import type { Ok } from '@proveklar/contract/common.ts';
import type { OperationDocs } from './operation.ts';
import { DEMO_UID } from './users.ts';
import { DEMO_EMAIL, DEMO_NAME, PAYMENT_ID, QUESTIONS, QUIZ_ID, REGISTERED_AT } from './values.ts';

export const readAccount: OperationDocs<never, AccountResponse> = {
  operationId: 'readAccount',
  description:
    'The first call of a user who never registered (for example after a Google sign-in) creates an account without service.',
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
        role: null,
        email: DEMO_EMAIL,
        display_name: DEMO_NAME,
        language: 'no',
      },
    },
    without_service: {
      summary: 'A user who signed in and never paid',
      answer: {
        account: { registered_at: REGISTERED_AT, service_expires_at: null, is_active: false },
        days_remaining: 0,
        waiting_days: [],
        is_admin: false,
        role: null,
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
    'The name is also written to the identity provider. If that fails, the name is saved here (`details.saved`), and repeating the call retries it. The limit is 60 changes an hour per account by default; each language switch on the screen counts.',
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
        role: null,
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
    'Changes the password and ends all sessions of the account: after the response, older tokens are rejected with 401 everywhere, including the token of this call, live updates end, and a new sign-in is needed. The sign-in must be less than five minutes old. Counts as a profile change. After `identity_provider_failed` the password may have been changed; sessions then end within a minute.',
  examples: {
    changed: {
      summary: 'The password is changed; sign in with it',
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
    'Mails a link to the new address. Opening it changes the address and ends older sessions; until then the old address stays valid. For an address that another user has, the response is the same, and nothing is mailed. The sign-in must be less than five minutes old. Counts as a profile change.',
  examples: {
    asked: {
      summary: 'A link is sent to the new address',
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
    "Deletes the caller's quizzes, answers, reports and identity. Payments are kept, without name and address. A mail confirms it. The sign-in must be less than five minutes old. Idempotent, also with a token of the deleted user: repeating the call completes an interrupted deletion.",
  examples: { deleted: { summary: 'Only receipts are left', answer: { ok: true } } },
  errors: {
    recent_sign_in_required: {},
    cannot_delete_self: {},
    user_not_found: {},
    identity_provider_failed: {},
    payment_provider_failed: {},
  },
};

const [FIRST, SECOND] = QUESTIONS;
const ANSWERED_AT = '2026-01-16T17:06:00.000Z';
const ENDED_AT = '2026-01-16T17:12:00.000Z';

const question = {
  marked_for_later: false,
  own_answer: null,
  answered_at: null,
  shown_ms: null,
  correct: false,
  counted: true,
};

export const exportAccount: OperationDocs<never, AccountExport> = {
  operationId: 'exportAccount',
  description:
    'The file holds the account, its payments, quizzes, reports and mails, each under its name. The key of a question is included once the quiz may show it. Technical copies of the same data (events, reports of Stripe) are left out. An account may run one export at a time, and five an hour by default.',
  examples: {
    practised: {
      summary: 'A learner with granted days and one quiz',
      answer: {
        exported_at: '2026-01-17T09:00:00.000Z',
        account: {
          id: PAYMENT_ID,
          user_id: DEMO_UID,
          email: DEMO_EMAIL,
          email_changed_at: null,
          email_verified: false,
          tokens_valid_after: null,
          display_name: DEMO_NAME,
          language: 'no',
          registered_at: REGISTERED_AT,
          access_until: '2026-02-14T08:30:00.000Z',
          told_of_end_at: null,
          last_seen_on: '2026-01-15',
          warned_of_deletion_at: null,
        },
        sign_in: {
          email: DEMO_EMAIL,
          display_name: null,
          has_password: true,
          created_at: REGISTERED_AT,
          last_signed_in_at: '2026-01-16T17:05:00.000Z',
          last_refreshed_at: '2026-01-16T17:05:00.000Z',
        },
        access: [
          {
            given_for: 'grant',
            payment_id: null,
            note: null,
            given_at: REGISTERED_AT,
            days: 30,
            days_taken_back: 0,
            starts_at: REGISTERED_AT,
            ends_at: '2026-02-14T08:30:00.000Z',
          },
        ],
        payments: [],
        reports: [
          {
            question: FIRST.question,
            uuid: FIRST.uuid,
            quiz_id: QUIZ_ID,
            reason: 'unclear',
            comment: null,
            state: 'open',
            reported_at: ENDED_AT,
            closed_at: null,
          },
        ],
        mails: [],
        messages: [],
        news_consent: null,
        corrected_results: [],
        learning: {
          plan: {
            exam: 'samfunnskunnskap',
            exam_date: '2026-02-10',
            daily_goal: 20,
            reminders: false,
            reminders_changed_at: null,
            reminders_consent: null,
            reminders_agreed_at: null,
            reminders_unanswered: 0,
            reminders_stopped: null,
            last_reminded_on: null,
            support_access: false,
            auto_advance: null,
            outcome_answered_for: null,
          },
          readiness: null,
          questions: [
            {
              uuid: FIRST.uuid,
              times_shown: 1,
              times_right: 1,
              first_correct: true,
              last_correct: true,
              last_answered_at: ANSWERED_AT,
              stability_days: 2.3065,
              difficulty: 2.11810397,
              due_on: '2026-02-06',
            },
          ],
        },
        limited_calls: [{ call: 'export', made_at: '2026-01-17T09:00:00.000Z' }],
        under_the_address: null,
        quizzes: [
          {
            id: QUIZ_ID,
            kind: 'drill',
            topic: 'Historie',
            exam: null,
            language: 'no',
            instant_feedback: true,
            state: 'ended',
            started_at: '2026-01-16T17:05:00.000Z',
            deadline_at: null,
            ended_at: ENDED_AT,
            right_answers: 1,
            counted_questions: 2,
            pass_mark: null,
            corrected_at: null,
            questions: [
              {
                ...question,
                uuid: FIRST.uuid,
                topic: FIRST.topic,
                question: FIRST.question,
                options: [...FIRST.options],
                own_answer: FIRST.answer,
                answered_at: ANSWERED_AT,
                shown_ms: 12_400,
                correct: true,
                correct_answer: FIRST.answer,
                explanation: FIRST.explanation,
              },
              {
                ...question,
                uuid: SECOND.uuid,
                topic: SECOND.topic,
                question: SECOND.question,
                options: [...SECOND.options],
                correct_answer: SECOND.answer,
                explanation: SECOND.explanation,
              },
            ],
          },
        ],
      },
    },
  },
  errors: {
    rate_limited: { details: { retry_after_s: 3600 } },
    identity_provider_failed: {},
  },
};
