import type { Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { CompatibleQuestions, type Excluding } from './exclusions.ts';
import { isMissingIn } from './language-coverage.ts';
import { listTopics, pairTopics } from './topics.ts';

export interface DrawnQuestion {
  id: number;
  topic: string;
}

export interface Draw {
  language: string;
  /** Null draws evenly from all topics. */
  topic: string | null;
  count: number;
}

// The window starts at a random draw_key and wraps around at the end. Within it, every question is equally
// likely. A hundred questions are enough to even out the gaps between the keys, and the cost is the same in
// a bank of a thousand and of a million.
const WINDOW = 100;

interface DrawColumns {
  withDifficulty: boolean;
  /** SQL: a condition on `question`. */
  where?: string;
}

// All that a draw needs is in the index `question_draw`, so that no candidate is read at a random place of the bank.
const drawOf = ({ withDifficulty, where = 'true' }: DrawColumns) => {
  const window = (condition: string) => `
      (select id, translation_group, excludes from question
       where language = $1 and topic = wanted.topic and validated and retired_at is null
         and ${condition} and ${where}
       order by draw_key limit ${WINDOW})`;
  return `
  select drawn.id, wanted.topic, translation_group as "group", excludes
         ${withDifficulty ? ', coalesce(difficulty, 0)::float8 as difficulty' : ''}
  from unnest($2::text[], $3::float8[]) as wanted (topic, start)
  cross join lateral (
    select id, translation_group, excludes from (
      ${window('draw_key >= wanted.start')}
      union all -- which reads the second only where the first has too few
      ${window('draw_key < wanted.start')}
      limit ${WINDOW})
    order by random() limit $4) as drawn
  ${withDifficulty ? 'left join question_difficulty on question_id = drawn.id' : ''}
  where ${isOffered('$1')}`;
};

const DRAW = drawOf({ withDifficulty: false });
const DRAW_WITH_DIFFICULTY = drawOf({ withDifficulty: true });
const DRAW_MISSING = drawOf({ withDifficulty: true, where: isMissingIn('$5') });

// Of thousands of topics a random choice: no quiz is long enough for all of them.
const MAX_TOPICS = 60;

/**
 * Draws at most `count` different questions at random: fewer when the bank has no more, none in a language
 * that is not offered to learners. One excludes another only where there are too few others.
 */
export async function drawQuestions(db: Queryable, draw: Draw): Promise<DrawnQuestion[]> {
  const { language, topic, count } = draw;
  const topics = topic ? [topic] : await someTopics(db, language);
  const { drill: ofShare } = CANDIDATES_OF_SHARE;
  return untilWhole({ count, topics, ofShare }, async (limit) => {
    const { rows } = await db.query<DrawnQuestion & Excluding>({
      name: 'draw-questions',
      text: DRAW,
      values: [language, topics, topics.map(() => Math.random()), limit],
    });
    const { added, excluded } = new CompatibleQuestions().addFirst(spread(shuffled(rows)), count);
    const drawn = [...added, ...excluded.slice(0, count - added.length)];
    return {
      isWhole: added.length === count,
      drawn: shuffled(drawn.map(({ id, topic: name }) => ({ id, topic: name }))),
    };
  });
}

/** Drawn from a topic for each question wanted, so that enough are left when some exclude others. */
const CANDIDATES = 2;
/** Drawn from a topic for each question of its share, at first. A test chooses among several. */
const CANDIDATES_OF_SHARE = { drill: 2, test: 5 };

/** Draws with fewer candidates first, and with all where the drawn questions are too few. */
async function untilWhole<Drawn>(
  { count, topics, ofShare }: { count: number; topics: readonly string[]; ofShare: number },
  draw: (limit: number) => Promise<{ isWhole: boolean; drawn: Drawn }>,
): Promise<Drawn> {
  const all = CANDIDATES * count;
  const share = ofShare * Math.ceil(count / Math.max(1, topics.length));
  if (share < all) {
    const { isWhole, drawn } = await draw(share);
    if (isWhole) return drawn;
  }
  return (await draw(all)).drawn;
}

async function someTopics(db: Queryable, language: string): Promise<string[]> {
  return shuffled(await listTopics(db, language)).slice(0, MAX_TOPICS);
}

/** A question with how hard it is, in logits; 0, as hard as the average, where it is not measured. */
export interface Candidate extends DrawnQuestion, Excluding {
  difficulty: number;
  /** Whether it is in the fallback of the test's language: drawn only where a topic has too few others. */
  isFallback?: boolean;
}

/** The size of a test, and how many of its questions count. */
interface TestSize {
  count: number;
  counted: number;
}

/**
 * Draws the questions of a test, evenly from all topics, so that tests are about equally hard, and which of
 * them count. No question excludes another, or is the translation of another. Fewer when the bank has no more,
 * none in a language that is not offered to learners.
 *
 * @param fallback the language of the questions for topics that have too few; null for none
 */
export async function drawTest(
  db: Queryable,
  { language, fallback = null, count, counted }: TestSize & Languages,
): Promise<(DrawnQuestion & { counted: boolean })[]> {
  const topics = await someTopics(db, language);
  const { test: ofShare } = CANDIDATES_OF_SHARE;
  return untilWhole({ count, topics, ofShare }, async (limit) => {
    const { rows } = await db.query<Candidate>({
      name: 'draw-test',
      text: DRAW_WITH_DIFFICULTY,
      values: [language, topics, topics.map(() => Math.random()), limit],
    });
    const missing =
      fallback === null ? [] : await drawMissing(db, rows, { language, fallback, limit });
    const drawn = balancedTest([...rows, ...missing], { count, counted });
    return { isWhole: drawn.length === count, drawn };
  });
}

interface Languages {
  language: string;
  fallback?: string | null;
}

/**
 * Candidates in the fallback that do not exist in the language, for the topics with too few of their own. They
 * have the names of the language's topics.
 */
async function drawMissing(
  db: Queryable,
  own: readonly Candidate[],
  { language, fallback, limit }: { language: string; fallback: string; limit: number },
): Promise<Candidate[]> {
  const names = await pairTopics(db, { from: fallback, to: language });
  const nameOf = (topic: string) => names.get(topic) ?? topic;
  const ownByTopic = Map.groupBy(own, ({ topic }) => topic);
  const isShort = (topic: string) => (ownByTopic.get(nameOf(topic))?.length ?? 0) < limit;
  const topics = (await someTopics(db, fallback)).filter(isShort);
  const { rows } = await db.query<Candidate>({
    name: 'draw-missing',
    text: DRAW_MISSING,
    values: [fallback, topics, topics.map(() => Math.random()), limit, language],
  });
  return rows.map((row) => ({ ...row, topic: nameOf(row.topic), isFallback: true }));
}

/** Odd, so that one of them is the median. */
const ATTEMPTS = 51;

/**
 * Of many random tests of these candidates, the one whose counted questions are of median difficulty. So
 * every candidate may be in a test, and tests differ in difficulty as little as the candidates do, of which
 * there are several times as many. Where questions exclude each other, a topic may have fewer than its share,
 * and others have more.
 *
 * @param random as `Math.random`
 */
export function balancedTest(
  candidates: readonly Candidate[],
  { count, counted }: TestSize,
  random: () => number = Math.random,
): (DrawnQuestion & { counted: boolean })[] {
  const byTopic = new Map(
    [...Map.groupBy(candidates, ({ topic }) => topic)].map(([topic, all]) => [
      topic,
      ownFirst(all),
    ]),
  );
  const evenly = spread(shuffled(candidates, random)).slice(0, count);
  const shares = [...Map.groupBy(evenly, ({ topic }) => topic)];
  const attempt = () => {
    const compatible = new CompatibleQuestions();
    // In another order each time: a topic that comes late has more that is excluded.
    const questions = shuffled(shares, random).flatMap(([topic, share]) => {
      const picked: Candidate[] = [];
      for (const items of byTopic.get(topic)!) {
        picked.push(...pick(items, share.length - picked.length, compatible, random));
      }
      return picked;
    });
    if (questions.length < evenly.length) {
      const left = candidates.filter((candidate) => !questions.includes(candidate));
      const missing = evenly.length - questions.length;
      const inTurn = ownFirst(left).flatMap((items) => spread(shuffled(items, random)));
      questions.push(...compatible.addFirst(inTurn, missing).added);
    }
    const test = shuffled(questions, random);
    const scored = test.slice(0, counted);
    return { test, difficulty: scored.reduce((sum, { difficulty }) => sum + difficulty, 0) };
  };
  const isOneEnough = candidates.every(
    ({ difficulty, excludes }) => difficulty === 0 && !excludes?.length,
  );
  const attempts = Array.from({ length: isOneEnough ? 1 : ATTEMPTS }, attempt);
  const longest = Math.max(...attempts.map(({ test }) => test.length));
  const ordered = attempts
    .filter(({ test }) => test.length === longest)
    .toSorted((a, b) => a.difficulty - b.difficulty);
  const { test } = ordered[Math.floor(ordered.length / 2)]!;
  return shuffled(
    test.map(({ id, topic }, index) => ({ id, topic, counted: index < counted })),
    random,
  );
}

/** The questions in the language of the test, and those in its fallback. */
function ownFirst(candidates: readonly Candidate[]): Candidate[][] {
  const fallback = candidates.filter(({ isFallback }) => isFallback);
  return [candidates.filter(({ isFallback }) => !isFallback), fallback];
}

/** Adds at most `count` of the items that fit, each as likely as another. Changes their order. */
function pick<T extends Excluding>(
  items: T[],
  count: number,
  compatible: CompatibleQuestions,
  random: () => number,
): T[] {
  let place = 0;
  let end = items.length;
  while (place < Math.min(count, end)) {
    const chosen = place + Math.floor(random() * (end - place));
    const fits = compatible.add(items[chosen]!);
    const to = fits ? place : end - 1;
    [items[to], items[chosen]] = [items[chosen]!, items[to]!];
    if (fits) place += 1;
    else end -= 1;
  }
  return items.slice(0, place);
}

/** A copy in random order. */
export function shuffled<T>(items: readonly T[], random: () => number = Math.random): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1));
    [copy[last], copy[chosen]] = [copy[chosen]!, copy[last]!];
  }
  return copy;
}

/** In an order that takes one question of each topic in turn (round robin). */
function spread<T extends DrawnQuestion>(questions: readonly T[]): T[] {
  const byTopic = [...Map.groupBy(questions, (question) => question.topic).values()];
  const rounds = Math.max(0, ...byTopic.map((topic) => topic.length));
  return Array.from({ length: rounds }, (_, round) => round).flatMap((round) =>
    byTopic.flatMap((topic) => topic[round] ?? []),
  );
}
