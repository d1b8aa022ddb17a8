import { api } from '#lib/api-client.ts';

/** Deletes the signed-in learner, who must have signed in just now. What stopped halfway goes on. */
export function deleteAccount(): Promise<{ ok: true }> {
  return api('/account', { method: 'DELETE', signedIn: true });
}
