const STORED = 'email-change';
/** A link that was not opened within a day is no longer waited for. */
const MAX_AGE_MS = 24 * 3_600_000;

/** Stores the new address that a link was sent to: opening the link may end the session here. */
export function rememberEmailChange(uid: string, email: string): void {
  try {
    localStorage.setItem(STORED, JSON.stringify({ uid, email, until: Date.now() + MAX_AGE_MS }));
  } catch {
    // Storage is blocked or full: the sign-in page does not mention the new address then.
  }
}

/**
 * The address that a link was sent to; null for none.
 *
 * @param uid the user it must belong to, because a browser may be shared; undefined without a session
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

/** Called when the address has changed, and on sign-out, so that the next user does not see it. */
export function forgetEmailChange(): void {
  try {
    localStorage.removeItem(STORED);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}
