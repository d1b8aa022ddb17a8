import { api } from '#lib/api-client.ts';

/** Has a link mailed to a learner's new address; they must have signed in just now. Safe to send again. */
export function changeEmail(email: string): Promise<{ ok: true }> {
  return api('/account/email', { method: 'POST', signedIn: true, body: { email } });
}
