import type { ConfigResponse } from '@proveklar/contract/config.ts';
import { useSyncExternalStore } from 'react';
import { ApiError } from './api-error.ts';
import { rememberSignedIn } from './cookies.ts';
import type { Identity, SignedInUser } from './identity.ts';

type IdentitySettings = ConfigResponse['identity'];

export type Session =
  /** `failed`: it could not be loaded. Pages try again in the background, or at the next press. */
  | { status: 'loading'; user: null; failed: boolean }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: SignedInUser };

const LOADING: Session = { status: 'loading', user: null, failed: false };
let session: Session = LOADING;
let readSettings: (() => Promise<IdentitySettings>) | undefined;
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
  // The gateway's page was rendered without a session.
  return useSyncExternalStore(onSessionChange, getSession, () => LOADING);
}

function setUser(user: SignedInUser | null) {
  rememberSignedIn(user !== null);
  setSession(user ? { status: 'signed-in', user } : { status: 'signed-out', user: null });
}

function setSession(next: Session) {
  session = next;
  for (const listener of listeners) listener();
}

/** Sets how the settings are read. They come from the API, whose client imports this module. */
export function provideIdentitySettings(read: () => Promise<IdentitySettings>): void {
  readSettings = read;
}

/**
 * The identity provider's operations. Loads their code, and resolves once the session is known; after a
 * failure, the next call tries again.
 */
export function identity(): Promise<Identity> {
  starting ??= startIdentity().catch((error: unknown) => {
    starting = undefined;
    if (session.status === 'loading') {
      setSession({ status: 'loading', user: null, failed: true });
    }
    throw error;
  });
  return starting;
}

async function startIdentity(): Promise<Identity> {
  if (!readSettings) throw new Error('Call provideIdentitySettings before identity()');
  const settings = readSettings();
  const { createIdentity } = await import('./identity.ts');
  return await createIdentity(await settings, setUser);
}

let renewing: Promise<unknown> | undefined;

/**
 * Runs `work`, which ends the user's sessions and signs them in again. All other calls wait for it: their
 * tokens would be refused, and renewing one meanwhile would sign the user out.
 */
export async function renewSession<T>(work: () => Promise<T>): Promise<T> {
  const running = work();
  renewing = running.catch(() => {});
  try {
    return await running;
  } finally {
    renewing = undefined;
  }
}

type TokenOptions = {
  refresh?: boolean;
  /** Set for the call that ends the sessions, which must not wait for itself. */
  endsSessions?: boolean;
};

/** The signed-in user's current ID token. */
export async function idToken(options: TokenOptions = {}): Promise<string> {
  if (!options.endsSessions) await renewing;
  const token = starting ? await (await starting).idToken(options.refresh ?? false) : null;
  if (!token) throw new ApiError(401, 'unauthenticated', 'No user logged in');
  return token;
}
