import type { User } from '@proveklar/gateway/contract/users.ts';
import { api } from '#lib/api-client.ts';

/** Keeps a user out, or lets them in again. */
export function setDisabled(uid: string, disabled: boolean): Promise<User> {
  const path = `/admin/users/${encodeURIComponent(uid)}/${disabled ? 'disable' : 'enable'}`;
  return api(path, { method: 'POST', signedIn: true });
}
