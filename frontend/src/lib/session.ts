import type { ConfigResponse } from '@proveklar/gateway/contract/config.ts';
import { useSyncExternalStore } from 'react';
import { ApiError } from './api-error.ts';
import type { Identity } from './identity.ts';
import { rememberSignedIn } from './signed-in-hint.ts';
import type { SignedInUser } from './signed-in-user.ts';

export type Session =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: SignedInUser };

let session: Session = { status: 'loading', user: null };
let starting: Promise<Identity> | undefined;
const listeners = new Set<() => void>();

export function getSession(): Session {
  return session;
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, getSession, getSession);
}

function setUser(user: SignedInUser | null) {
  session = user ? { status: 'signed-in', user } : { status: 'signed-out', user: null };
  rememberSignedIn(user !== null);
  for (const listener of listeners) listener();
}

/**
 * Loads the identity code and resolves once it is known whether anybody is signed in.
 * Called again, it returns the first call's promise; after a failure it tries anew.
 */
export function startSession(settings: ConfigResponse['identity']): Promise<Identity> {
  starting ??= import('./identity.ts')
    .then(({ createIdentity }) => createIdentity(settings, setUser))
    .catch((error: unknown) => {
      starting = undefined;
      throw error;
    });
  return starting;
}

/** The identity provider's operations. Only for pages behind `startSession`. */
export async function identity(): Promise<Identity> {
  if (!starting) throw new Error('The session has not been started');
  return await starting;
}

/** The signed-in user's current ID token. */
export async function idToken(options: { refresh?: boolean } = {}): Promise<string> {
  const token = starting ? await (await starting).idToken(options.refresh ?? false) : null;
  if (!token) throw new ApiError(401, 'unauthenticated', 'No user logged in');
  return token;
}
