const STORED = 'email-change';
/** A link that nobody opened for a day is not waited for any more. */
const KEPT_MS = 24 * 3_600_000;

/** Remembers to which address a link was sent: opening it may end the session here. */
export function rememberEmailChange(email: string): void {
  try {
    localStorage.setItem(STORED, JSON.stringify({ email, until: Date.now() + KEPT_MS }));
  } catch {
    // Blocked or full: the sign-in page says nothing of it then.
  }
}

/** The address to which a link was sent; null for none. */
export function pendingEmail(): string | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return null;
    const { email, until } = stored as { email?: unknown; until?: unknown };
    return typeof email === 'string' && Number(until) > Date.now() ? email : null;
  } catch {
    return null;
  }
}

export function forgetEmailChange(): void {
  try {
    localStorage.removeItem(STORED);
  } catch {
    // Blocked: nothing was remembered.
  }
}
