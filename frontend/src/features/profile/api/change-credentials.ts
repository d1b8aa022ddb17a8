import { api } from '#lib/api-client.ts';

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
