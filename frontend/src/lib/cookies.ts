import { SIGNED_IN, SIGNED_IN_COOKIE } from '@proveklar/contract/page.ts';
import { parseCookie } from 'cookie';

/**
 * Keeps a cookie that the gateway reads when a page is asked for; 0 seconds take it away.
 * Not by the Cookie Store API, which half of the browsers lack.
 */
export function keepCookie(name: string, value: string, seconds: number): void {
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${name}=${value}; path=/; max-age=${seconds}; samesite=lax${secure}`;
}

export function readCookie(name: string): string | undefined {
  return parseCookie(document.cookie)[name];
}

const ONE_YEAR_S = 365 * 24 * 3600;

/**
 * Remembers that a user is signed in here, for pages without the identity code and for the gateway,
 * which sends all others the sign-in form. A hint only: it grants nothing.
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
