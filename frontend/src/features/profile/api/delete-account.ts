import type { Ok } from '@proveklar/gateway/contract/responses.ts';
import type { Static } from 'typebox';
import { api } from '#lib/api-client.ts';

/** Deletes the signed-in learner, who must have signed in just now. What stopped halfway goes on. */
export function deleteAccount(): Promise<Static<typeof Ok>> {
  return api('/account', { method: 'DELETE', signedIn: true });
}
