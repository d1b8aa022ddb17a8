const KEY = 'proveklar.signed-in';

/**
 * Remembers for pages without the identity code that somebody is signed in here. A hint only: nothing
 * is let in by it.
 */
export function rememberSignedIn(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // Blocked: those pages offer to sign in.
  }
}

export function seemsSignedIn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** Calls back when another tab has signed in or out. */
export function onSignedInHint(listener: () => void): () => void {
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}
