import { SIGNED_IN, SIGNED_IN_COOKIE } from '@proveklar/contract/page.ts';
import { keepCookie, readCookie } from './cookie.ts';

const ONE_YEAR_S = 365 * 24 * 3600;

/**
 * Remembers that somebody is signed in here, for pages without the identity code and for the gateway,
 * which sends everybody else the sign-in form. A hint only: nothing is let in by it.
 */
export function rememberSignedIn(signedIn: boolean): void {
  keepCookie(SIGNED_IN_COOKIE, SIGNED_IN, signedIn ? ONE_YEAR_S : 0);
}

export function seemsSignedIn(): boolean {
  return readCookie(SIGNED_IN_COOKIE) === SIGNED_IN;
}

/** Calls back when another tab may have signed in or out: whenever one comes back to this one. */
export function onSignedInHint(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
