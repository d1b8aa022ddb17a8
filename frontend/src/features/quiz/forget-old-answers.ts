import { UNSENT_PREFIX } from './unsent-answers.ts';

const MAX_AGE_MS = 30 * 24 * 60 * 60_000;

/**
 * Removes unsent answers of all learners that are older than 30 days: in a shared browser, a learner may
 * never come back to send them.
 */
export function forgetOldAnswers(now = Date.now()): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(UNSENT_PREFIX)) continue;
      if (!(now - keptAt(localStorage.getItem(key)) < MAX_AGE_MS)) localStorage.removeItem(key);
    }
  } catch {
    // Blocked: then there is nothing either.
  }
}

/** Removes the unsent answers and choices of a learner who has deleted their account. */
export function forgetLearner(uid: string): void {
  try {
    const own = Object.keys(localStorage).filter((key) => `${key}.`.includes(`.${uid}.`));
    for (const key of own) localStorage.removeItem(key);
  } catch {
    // Blocked: then there is nothing either.
  }
}

/** NaN for an invalid value, which is removed too. */
function keptAt(value: string | null): number {
  try {
    return Number(JSON.parse(value ?? '').at);
  } catch {
    return NaN;
  }
}
