const STORED = 'email-change';
/** A link that nobody opened for a day is not waited for any more. */
const KEPT_MS = 24 * 3_600_000;

/** Remembers to which address a user had a link sent: opening it may end the session here. */
export function rememberEmailChange(uid: string, email: string): void {
  try {
    localStorage.setItem(STORED, JSON.stringify({ uid, email, until: Date.now() + KEPT_MS }));
  } catch {
    // Blocked or full: the sign-in page says nothing of it then.
  }
}

/**
 * The address to which a link was sent; null for none.
 *
 * @param uid for whom it has to be: a browser may be shared. Undefined while nobody is signed in
 */
export function pendingEmail(uid?: string): string | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return null;
    const { uid: whose, email, until } = stored as Record<string, unknown>;
    if (typeof email === 'string' && Number(until) > Date.now()) {
      return uid === undefined || uid === whose ? email : null;
    }
    forgetEmailChange();
    return null;
  } catch {
    return null;
  }
}

/** When it has come about, and when somebody signs out: who comes next is not told of it. */
export function forgetEmailChange(): void {
  try {
    localStorage.removeItem(STORED);
  } catch {
    // Blocked: nothing was remembered.
  }
}
