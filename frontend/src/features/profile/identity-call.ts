import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormError } from '#components/form.tsx';
import type { Identity } from '#lib/identity.ts';
import { identity } from '#lib/session.ts';

type Changes = Awaited<ReturnType<Identity['changes']>>;

/** Calls the identity provider, with the error of a failed call for the form. */
export function useIdentityCall() {
  const { t } = useTranslation('learner');
  const [said, say] = useFormError();
  const [busy, setBusy] = useState(false);

  /** @returns whether it succeeded */
  async function call(work: (changes: Changes) => Promise<void>): Promise<boolean> {
    setBusy(true);
    say('');
    try {
      await work(await (await identity()).changes());
      return true;
    } catch (error) {
      say(t(`profile.error.${identityErrorText(error)}`));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { call, busy, said, say };
}

/** Our texts for errors of a change of the sign-in, or of a confirmation of the identity. */
const texts = {
  'auth/wrong-password': 'wrong_password',
  'auth/invalid-credential': 'wrong_password',
  'auth/invalid-login-credentials': 'wrong_password',
  'auth/too-many-requests': 'too_many_requests',
  'auth/weak-password': 'weak_password',
  'auth/password-does-not-meet-requirements': 'weak_password',
  'auth/invalid-email': 'invalid_email',
  'auth/invalid-new-email': 'invalid_email',
  'auth/network-request-failed': 'network',
  'auth/user-token-expired': 'sign_in_again',
  'auth/requires-recent-login': 'sign_in_again',
  'auth/user-disabled': 'sign_in_again',
  'auth/user-not-found': 'sign_in_again',
  password_refused: 'weak_password',
  email_refused: 'email_refused',
  rate_limited: 'too_many_requests',
  network: 'network',
  unauthenticated: 'sign_in_again',
  token_invalid: 'sign_in_again',
  recent_sign_in_required: 'sign_in_again',
  'auth/popup-closed-by-user': 'popup_closed',
  'auth/cancelled-popup-request': 'popup_closed',
  'auth/popup-blocked': 'popup_blocked',
  'auth/user-mismatch': 'other_google',
} as const;

type IdentityErrorText = (typeof texts)[keyof typeof texts] | 'unknown';

/** The last part of the key `profile.error.…` for an error of the identity provider or our API. */
export function identityErrorText(error: unknown): IdentityErrorText {
  const code = codeOf(error);
  return code in texts ? texts[code as keyof typeof texts] : 'unknown';
}

/** Whether the identity provider refused or could not be reached, as opposed to our API. */
export function isIdentityError(error: unknown): boolean {
  return codeOf(error).startsWith('auth/');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
