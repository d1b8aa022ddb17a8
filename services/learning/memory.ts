import { fsrs, type FSRSState, type Grade, Rating } from 'ts-fsrs';

/**
 * What a learner remembers of a question: FSRS-6 with the library's default parameters
 * (https://github.com/open-spaced-repetition/ts-fsrs). Time is counted in whole days of Europe/Oslo,
 * as numbers since 1970-01-01.
 */
export interface Memory {
  /** Days after which the learner remembers with a probability of 0.9. */
  stability: number;
  /** From 1 to 10. */
  difficulty: number;
}

/** An answer whose result the learner was shown. */
export interface Review {
  /** The day of the answer. */
  day: number;
  correct: boolean;
  /** How long the question was shown before the answer, in milliseconds; null when not known. */
  shownMs: number | null;
}

/**
 * A right answer that took longer was not quick: the learner worked it out, or guessed. A question with four
 * options has about 40 words, which a reader at A2-B1 (100 words a minute) reads in 25 seconds.
 */
const SLOW_MS = 30_000;

/**
 * A question is due when its probability falls below this. The exam needs 76 %, so a higher one costs more
 * answers than it brings: with FSRS's usual 0.9, simulated learners need half as many again until they
 * pass with 80 % (docs/learning.md).
 */
const REQUEST_RETENTION = 0.7;

// No interval reaches beyond an access of a year; the plan's end bounds it further (`draw-today.ts`).
const scheduler = fsrs({ request_retention: REQUEST_RETENTION, maximum_interval: 365 });

const gradeOf = ({ correct, shownMs }: Review): Grade => {
  if (!correct) return Rating.Again;
  return (shownMs ?? 0) > SLOW_MS ? Rating.Hard : Rating.Good;
};

/** The memory after one more answer. `memory` is null before the first one. */
export function nextMemory(
  memory: (Memory & { day: number }) | null,
  review: Review,
): Memory & { day: number; dueDay: number } {
  const elapsed = memory ? Math.max(0, review.day - memory.day) : 0;
  const before: FSRSState | null = memory && {
    stability: memory.stability,
    difficulty: memory.difficulty,
  };
  const { stability, difficulty } = scheduler.next_state(before, elapsed, gradeOf(review));
  // A wrong answer is due again on the same day: the question returns in a later set.
  const interval = review.correct ? scheduler.next_interval(stability, elapsed) : 0;
  return { stability, difficulty, day: review.day, dueDay: review.day + interval };
}

/** The probability that the learner still remembers, after this many days. */
export function retrievability(stability: number, elapsedDays: number): number {
  return scheduler.forgetting_curve(Math.max(0, elapsedDays), stability);
}
