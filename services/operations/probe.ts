import { reasonOf } from '#errors/reason-of.ts';

const EVERY_MS = 60_000;

export interface Probed {
  /** Seconds since it last answered; null before the first time. */
  answeredSeconds: number | null;
  /** Why it did not, the last time; null when it did. */
  problem: string | null;
}

/**
 * Asks another house now and then whether it is there: at most once a minute, however often somebody
 * wants to know, and nobody waits for the answer.
 *
 * @param ask returns what is wrong with the answer, if anything; throws where there is none
 */
export function createProbe(ask: () => Promise<string | null>, everyMs = EVERY_MS) {
  let askedAt = -Infinity;
  let answeredAt: number | null = null;
  let problem: string | null = null;

  async function probe(): Promise<void> {
    try {
      problem = await ask();
      if (problem === null) answeredAt = performance.now();
    } catch (error) {
      problem = reasonOf(error instanceof Error && error.cause ? error.cause : error);
    }
  }

  return (): Probed => {
    const now = performance.now();
    if (now - askedAt >= everyMs) {
      askedAt = now;
      void probe();
    }
    return { answeredSeconds: answeredAt === null ? null : (now - answeredAt) / 1000, problem };
  };
}
