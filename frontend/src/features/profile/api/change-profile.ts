import type { AccountResponse, ChangeProfileRequest } from '@proveklar/contract/account.ts';
import { api } from '#lib/api-client.ts';

/** Changes name or language; what is left out stays. Safe to send again. */
export function changeProfile(body: ChangeProfileRequest): Promise<AccountResponse> {
  return api('/account/profile', { method: 'PUT', signedIn: true, body });
}
