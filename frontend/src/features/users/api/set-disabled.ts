import type { DisableUserRequest, User } from '@proveklar/contract/users.ts';
import { api } from '#lib/api-client.ts';

/** Keeps a user out, or lets them in again. */
export function setDisabled(uid: string, disabled: boolean, reason?: string): Promise<User> {
  const path = `/admin/users/${encodeURIComponent(uid)}/${disabled ? 'disable' : 'enable'}`;
  const body: DisableUserRequest | undefined = reason ? { reason } : undefined;
  return api(path, { method: 'POST', ...(body && { body }), signedIn: true });
}
