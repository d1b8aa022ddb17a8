/** Our text for each of the identity provider's error codes that a user can meet. */
const texts = {
  'auth/wrong-password': 'wrong_credentials',
  'auth/invalid-credential': 'wrong_credentials',
  'auth/invalid-login-credentials': 'wrong_credentials',
  'auth/user-not-found': 'user_not_found',
  'auth/invalid-email': 'invalid_email',
  'auth/user-disabled': 'user_disabled',
  'auth/too-many-requests': 'too_many_requests',
  'auth/network-request-failed': 'network',
  'auth/popup-closed-by-user': 'popup_closed',
  'auth/cancelled-popup-request': 'popup_closed',
  'auth/popup-blocked': 'popup_blocked',
} as const;

type AuthErrorText = (typeof texts)[keyof typeof texts] | 'unknown';

/** The last part of the key `auth.error.…` for an error of the identity provider. */
export function authErrorText(error: unknown): AuthErrorText {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code in texts ? texts[code as keyof typeof texts] : 'unknown';
}
