import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type {
  DisableUserRequest,
  PersonResponse,
  User,
  UsersResponse,
} from '@proveklar/contract/users.ts';
import type { OperationDocs } from './operation.ts';
import { DEMO_EMAIL, DEMO_NAME, QUIZ_ID, REGISTERED_AT } from './values.ts';

/** The demo learner's id at the identity provider. */
export const DEMO_UID = 'X7mP2kQ9sTfW4hLbN0cRyV1eZa83';
export const USERS_PAGE_TOKEN = 'MDE5YmMwZGUtNWExMC03YzNlLTlmMjEtNmIwZDRlOGE3YzU1';
const PATH = { uid: DEMO_UID };

const DEMO: User = {
  uid: DEMO_UID,
  email: DEMO_EMAIL,
  display_name: DEMO_NAME,
  disabled: false,
  created_at: REGISTERED_AT,
  last_login: '2026-01-16T17:05:00.000Z',
  last_refresh: '2026-01-16T17:05:00.000Z',
  quizzes: 1,
  last_active_at: '2026-01-16T17:12:00.000Z',
  service_expires_at: '2026-02-14T08:30:00.000Z',
  days_remaining: 30,
  is_active: true,
  is_self: false,
};
const STATS = { total_users: 3, active_users: 3, users_with_activity: 1 };

export const listUsers: OperationDocs<never, UsersResponse> = {
  operationId: 'listUsers',
  description:
    'Without a search, filter or order, all users of the identity provider, in its order. With one, accounts: those whose ' +
    'address or name contains `email`.',
  examples: {
    found: {
      summary: 'The second and last page of a search for "demo@example.no"',
      query: {
        email: DEMO_EMAIL,
        status: 'active',
        service: 'active',
        sort: 'email',
        page_size: 1,
        page_token: USERS_PAGE_TOKEN,
      },
      answer: { users: [DEMO], next_page_token: null, stats: STATS },
    },
  },
  errors: { identity_provider_failed: {} },
};

export const readPerson: OperationDocs<never, PersonResponse> = {
  operationId: 'readPerson',
  description:
    'How well a learner does is theirs: support sees when they practise, and how ready they are only if they allow it ' +
    '(`support_access` of `PUT /learning`).',
  examples: {
    learner: {
      summary: 'A learner who has begun a quiz',
      path: PATH,
      answer: {
        user: DEMO,
        quizzes: [
          {
            id: QUIZ_ID,
            kind: 'drill',
            topic: 'Historie',
            state: 'open',
            started_at: '2026-01-16T17:12:00.000Z',
            ended_at: null,
          },
        ],
        access: [
          {
            given_for: 'grant',
            payment_id: null,
            note: null,
            given_at: '2026-01-15T08:30:00.000Z',
            days: 30,
            days_taken_back: 0,
            starts_at: '2026-01-15T08:30:00.000Z',
            ends_at: '2026-02-14T08:30:00.000Z',
          },
        ],
        shares_progress: false,
        readiness: null,
        payments: [],
        mails: [],
      },
    },
  },
  errors: { user_not_found: {}, identity_provider_failed: {} },
};

export const deleteUser: OperationDocs<never, Static<typeof Ok>> = {
  operationId: 'deleteUser',
  description:
    'Deletes their quizzes, answers, reports and identity. Payments are kept, without name and address. ' +
    'The user is notified by mail if their address is verified or they have paid. Idempotent: repeating ' +
    'the call completes an interrupted deletion.',
  examples: { deleted: { summary: 'A learner is deleted', path: PATH, answer: { ok: true } } },
  errors: {
    cannot_delete_self: {},
    user_not_found: {},
    identity_provider_failed: {},
    payment_provider_failed: {},
  },
};

export const disableUser: OperationDocs<DisableUserRequest, User> = {
  operationId: 'disableUser',
  description:
    'Their next request is refused, their live updates end, and they cannot sign in. The user is notified by mail, with the reason, if their address is verified or they have paid. Idempotent.',
  examples: {
    disabled: {
      summary: 'A learner is disabled',
      path: PATH,
      body: { reason: 'Kontoen ble delt med andre.' },
      answer: { ...DEMO, disabled: true },
    },
  },
  errors: { cannot_disable_self: {}, user_not_found: {}, identity_provider_failed: {} },
};

export const enableUser: OperationDocs<never, User> = {
  operationId: 'enableUser',
  description:
    'The user is notified by mail, as when disabled. Idempotent. A deleted user stays deleted.',
  examples: { enabled: { summary: 'A learner is enabled', path: PATH, answer: DEMO } },
  errors: { user_not_found: {}, identity_provider_failed: {} },
};

export const sendPasswordLink: OperationDocs<never, Static<typeof Ok>> = {
  operationId: 'sendPasswordLink',
  description:
    'For users who paid and have no password yet, or lost it, or who sign in with Google and want one. A worker sends the mail.',
  examples: { sent: { summary: 'The link is sent', path: PATH, answer: { ok: true } } },
  errors: { user_not_found: {}, identity_provider_failed: {} },
};
