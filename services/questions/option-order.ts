/** How many wrong answers a practice test shows beside the key: the real exam has three options. */
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
 * The order is seeded from the first segment of the uuid (specification, section 4). The learner
 * sees the uuid and may know this code, so the order must tell nothing about which option is the
 * key: the options are sorted by their text before they are shuffled. For the same reason the
 * options that a practice test leaves out are chosen by their place in the bank, which no learner
 * sees, and not by anything that can be computed from what is shown (docs/decisions/0004).
 */
export function optionsOf(question: OptionSource, distractors = question.incorrect.length) {
  const options = [question.answer, ...question.incorrect.slice(0, distractors)];
  const sorted = options.toSorted((a, b) => compareCodePoints(a.normalize(), b.normalize()));
  return shuffle(sorted, Number.parseInt(question.uuid.slice(0, 8), 16));
}

function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Fisher–Yates, from the last place to the first. */
function shuffle<T>(items: readonly T[], seed: number): T[] {
  const random = mulberry32(seed);
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[chosen]] = [shuffled[chosen]!, shuffled[last]!];
  }
  return shuffled;
}

/** Tommy Ettinger's Mulberry32: a 32-bit seed to numbers in [0, 1). Public domain. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
