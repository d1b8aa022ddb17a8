import { api } from '#lib/api-client.ts';

/** Changes the password of the signed-in learner, who must have signed in just now, and ends all sessions. */
export function changePassword(password: string): Promise<{ ok: true }> {
  const body = { password };
  return api('/account/password', { method: 'PUT', signedIn: true, sentOnce: true, body });
}
