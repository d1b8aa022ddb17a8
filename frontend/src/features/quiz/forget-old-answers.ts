import { UNSENT_PREFIX } from './unsent-answers.ts';

const LONGEST_MS = 30 * 24 * 60 * 60_000;

/**
 * Forgets what has waited in this browser for 30 days, whoever's it is: in a shared browser a person
 * may never come back for it.
 */
export function forgetOldAnswers(now = Date.now()): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(UNSENT_PREFIX)) continue;
      if (!(now - keptAt(localStorage.getItem(key)) < LONGEST_MS)) localStorage.removeItem(key);
    }
  } catch {
    // Blocked: then there is nothing either.
  }
}

/** Forgets what has waited of somebody who has deleted their account. */
export function forgetAnswersOf(uid: string): void {
  try {
    const own = Object.keys(localStorage).filter((key) =>
      key.startsWith(`${UNSENT_PREFIX}${uid}.`),
    );
    for (const key of own) localStorage.removeItem(key);
  } catch {
    // Blocked: then there is nothing either.
  }
}

/** NaN for what is not ours to read: it goes too. */
function keptAt(value: string | null): number {
  try {
    return Number(JSON.parse(value ?? '').at);
  } catch {
    return NaN;
  }
}
