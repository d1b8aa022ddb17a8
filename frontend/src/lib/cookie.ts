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
