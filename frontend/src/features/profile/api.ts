import type { AccountResponse, ChangeProfileRequest } from '@proveklar/contract/account.ts';
import { api, request } from '#lib/api-client.ts';

/** The learner's data as a file. Rejects if the download breaks off. */
export async function getExport(): Promise<Blob> {
  const response = await request('/account/export', { signedIn: true });
  return response.blob();
}

// Both of these require a recent sign-in.

/** Changes the password of the signed-in learner, and ends all sessions. */
export function changePassword(password: string): Promise<{ ok: true }> {
  const body = { password };
  return api('/account/password', { method: 'PUT', signedIn: true, endsSessions: true, body });
}

/** Mails a link to the learner's new address. Safe to retry. */
export function changeEmail(email: string): Promise<{ ok: true }> {
  return api('/account/email', { method: 'POST', signedIn: true, body: { email } });
}

/** Changes the given fields of name and language. Safe to retry. */
export function changeProfile(body: ChangeProfileRequest): Promise<AccountResponse> {
  return api('/account/profile', { method: 'PUT', signedIn: true, body });
}

/** Deletes the signed-in learner's account; requires a recent sign-in. Resumes an incomplete deletion. */
export function deleteAccount(): Promise<{ ok: true }> {
  return api('/account', { method: 'DELETE', signedIn: true });
}
