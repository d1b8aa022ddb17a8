/** Distractors that a practice test shows beside the key: the real exam has three options. */
export const PRACTICE_TEST_DISTRACTORS = 2;

export interface OptionSource {
  uuid: string;
  answer: string;
  /** Best distractors first: a practice test shows the first two. */
  incorrect: readonly string[];
}

/**
 * The options of a question in the order in which every learner sees them.
 *
 * The specification requires the first segment of the uuid as the seed of the order. The learner sees
 * the uuid and may know this code, so the order must not reveal the key: the options are sorted by their
 * text before they are shuffled. For the same reason, a practice test leaves out options by their place
 * in the bank, which learners cannot see, and not by anything that can be computed from what is shown
 * (docs/decisions/0004).
 *
 * @param timesShown in repetition, how often the learner was shown the question before: each time has
 *   another order, so that learners do not memorize letters. 0 gives the order that every learner sees.
 */
export function optionsOf(
  question: OptionSource,
  distractors = question.incorrect.length,
  timesShown = 0,
) {
  const options = [question.answer, ...question.incorrect.slice(0, distractors)];
  const sorted = options.toSorted((a, b) => compareCodePoints(a.normalize(), b.normalize()));
  const seed = Number.parseInt(question.uuid.slice(0, 8), 16);
  return shuffle(sorted, seed ^ Math.imul(timesShown, 0x9e3779b1));
}

function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Fisher–Yates shuffle, from the last place to the first. */
function shuffle<T>(items: readonly T[], seed: number): T[] {
  const random = mulberry32(seed);
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[chosen]] = [shuffled[chosen]!, shuffled[last]!];
  }
  return shuffled;
}

/** Tommy Ettinger's Mulberry32, public domain: a random generator of numbers in [0, 1) from a 32-bit seed. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
