import { api } from '#lib/api-client.ts';

export function deleteUser(uid: string): Promise<{ ok: true }> {
  return api(`/admin/users/${encodeURIComponent(uid)}`, { method: 'DELETE', signedIn: true });
}
