import type { AccountResponse, ChangeProfileRequest } from '@proveklar/contract/account.ts';
import { api, request } from '#lib/api-client.ts';

/** Everything that the service holds about the learner, as a file. Fails when it breaks off. */
export async function getExport(): Promise<Blob> {
  const response = await request('/account/export', { signedIn: true });
  return response.blob();
}

// For both the learner must have signed in just now.

/** Changes the password of the signed-in learner, and ends all sessions. */
export function changePassword(password: string): Promise<{ ok: true }> {
  const body = { password };
  return api('/account/password', { method: 'PUT', signedIn: true, endsSessions: true, body });
}

/** Has a link mailed to the learner's new address. Safe to send again. */
export function changeEmail(email: string): Promise<{ ok: true }> {
  return api('/account/email', { method: 'POST', signedIn: true, body: { email } });
}

/** Changes name or language; what is left out stays. Safe to send again. */
export function changeProfile(body: ChangeProfileRequest): Promise<AccountResponse> {
  return api('/account/profile', { method: 'PUT', signedIn: true, body });
}

/** Deletes the signed-in learner, who must have signed in just now. What stopped halfway goes on. */
export function deleteAccount(): Promise<{ ok: true }> {
  return api('/account', { method: 'DELETE', signedIn: true });
}
