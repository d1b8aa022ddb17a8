import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type {
  ChoosePasswordRequest,
  ForgotPasswordRequest,
  PasswordLinkRequest,
  PasswordLinkResponse,
} from '@proveklar/contract/password.ts';
import type { OperationDocs } from './operation.ts';
import { DEMO_EMAIL } from './values.ts';

/** The token of a mailed link. */
export const LINK_TOKEN = 'hZ0h2vM3Qm8oQ6J0H5nQ1cGZ7b4kQy9x2rJm0sYp1uE';

export const forgotPassword: OperationDocs<ForgotPasswordRequest, Static<typeof Ok>> = {
  operationId: 'forgotPassword',
  description:
    'A worker mails the link if the address has a user. A user without a password, who signs in with Google, gets a mail that says so. The response, and its time, are the same for every address. The limits are those of payments: by default 5 an hour for an address from one network, four times as many from all of them, and 60 per client address.',
  examples: {
    asked: {
      summary: 'A link is mailed, if the address has a user',
      body: { email: DEMO_EMAIL, language: 'no' },
      status: 202,
      answer: { ok: true },
    },
  },
  errors: { rate_limited: { details: { retry_after_s: 3600 } } },
};

export const readPasswordLink: OperationDocs<PasswordLinkRequest, PasswordLinkResponse> = {
  operationId: 'readPasswordLink',
  description:
    'Says whether the link is still valid, before a person types a password. The link can be used once, within an hour. `details.reason` of an error is `used`, `expired` (for a day), or `unknown`.',
  examples: {
    valid: {
      summary: 'A link that can be used',
      body: { token: LINK_TOKEN },
      answer: { email: DEMO_EMAIL },
    },
  },
  errors: {
    password_link_invalid: { details: { reason: 'used' } },
    identity_provider_failed: {},
  },
};

export const choosePassword: OperationDocs<ChoosePasswordRequest, PasswordLinkResponse> = {
  operationId: 'choosePassword',
  description:
    'Sets the password, marks the address as verified, and ends all sessions of the user before the response. All links that were mailed before are void then. After an error the link stays valid; after `identity_provider_failed` the password may have been changed all the same.',
  examples: {
    chosen: {
      summary: 'The password is chosen; sign in with it',
      body: { token: LINK_TOKEN, password: 'et annet godt passord' },
      answer: { email: DEMO_EMAIL },
    },
  },
  errors: {
    password_link_invalid: { details: { reason: 'expired' } },
    password_refused: {},
    account_disabled: {},
    identity_provider_failed: {},
  },
};
