import { api } from '#lib/api-client.ts';

/** Has the sign-in service mail a user the link under which they choose a password. */
export function sendPasswordLink(uid: string): Promise<{ ok: true }> {
  const path = `/admin/users/${encodeURIComponent(uid)}/password-link`;
  return api(path, { method: 'POST', signedIn: true });
}
