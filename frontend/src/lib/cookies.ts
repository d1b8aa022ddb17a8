import { SIGNED_IN, SIGNED_IN_COOKIE } from '@proveklar/contract/page.ts';
import { parseCookie } from 'cookie';

/**
 * Sets a cookie that the gateway reads when it serves a page; 0 seconds delete it. Does not use the
 * Cookie Store API, which half of the browsers lack.
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
 * Stores that a user is signed in, for pages without the identity code and for the gateway, which sends
 * other visitors the sign-in form. Only a hint: it grants nothing.
 */
export function rememberSignedIn(signedIn: boolean): void {
  keepCookie(SIGNED_IN_COOKIE, SIGNED_IN, signedIn ? ONE_YEAR_S : 0);
}

export function seemsSignedIn(): boolean {
  return readCookie(SIGNED_IN_COOKIE) === SIGNED_IN;
}

/** Tells the style sheets of the landing page, as the gateway does when it sends the page. */
export function showSignedInHint(): void {
  document.documentElement.dataset['signedIn'] = seemsSignedIn() ? SIGNED_IN : '';
}

/** Calls back whenever this tab becomes visible: another tab may have signed in or out. */
export function onSignedInHint(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
