import type { ConfigResponse } from '@proveklar/contract/config.ts';
import { useSyncExternalStore } from 'react';
import { ApiError } from './api-error.ts';
import { rememberSignedIn } from './cookies.ts';
import type { Identity, SignedInUser } from './identity.ts';

type IdentitySettings = ConfigResponse['identity'];

export type Session =
  | { status: 'loading'; user: null }
  | { status: 'signed-out'; user: null }
  | { status: 'signed-in'; user: SignedInUser };

const LOADING: Session = { status: 'loading', user: null };
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
  // What the gateway sent was rendered while nobody knew.
  return useSyncExternalStore(onSessionChange, getSession, () => LOADING);
}

function setUser(user: SignedInUser | null) {
  session = user ? { status: 'signed-in', user } : { status: 'signed-out', user: null };
  rememberSignedIn(user !== null);
  for (const listener of listeners) listener();
}

/** Says where the settings come from. They come through the API, which needs this module. */
export function provideIdentitySettings(read: () => Promise<IdentitySettings>): void {
  readSettings = read;
}

/**
 * The identity provider's operations. Loads their code, and resolves once it is known whether anybody
 * is signed in; after a failure the next call tries anew.
 */
export function identity(): Promise<Identity> {
  starting ??= startIdentity().catch((error: unknown) => {
    starting = undefined;
    throw error;
  });
  return starting;
}

async function startIdentity(): Promise<Identity> {
  if (!readSettings) throw new Error('Nobody has said where the identity settings are');
  const settings = readSettings();
  const { createIdentity } = await import('./identity.ts');
  return await createIdentity(await settings, setUser);
}

let renewing: Promise<unknown> | undefined;

/**
 * Runs what ends the user's sessions and signs them in again. Every other call waits for it: its token would
 * be refused, and asking for a fresh one in between would sign the user out.
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
  /** Of the call itself that ends the sessions, for which the others wait. */
  endsSessions?: boolean;
};

/** The signed-in user's current ID token. */
export async function idToken(options: TokenOptions = {}): Promise<string> {
  if (!options.endsSessions) await renewing;
  const token = starting ? await (await starting).idToken(options.refresh ?? false) : null;
  if (!token) throw new ApiError(401, 'unauthenticated', 'No user logged in');
  return token;
}
