import type { Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { CompatibleQuestions, EXCLUDING, type Excluding } from './exclusions.ts';
import { listTopics } from './topics.ts';

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

const drawOf = ({ withDifficulty }: { withDifficulty: boolean }) => `
  select drawn.id, wanted.topic, ${EXCLUDING}${withDifficulty ? ', coalesce(difficulty, 0)::float8 as difficulty' : ''}
  from unnest($2::text[], $3::float8[]) as wanted (topic, start)
  cross join lateral (
    select id from (
      (select id, 0 as turn, draw_key from question
       where language = $1 and topic = wanted.topic and validated and retired_at is null
         and draw_key >= wanted.start
       order by draw_key limit ${WINDOW})
      union all
      (select id, 1 as turn, draw_key from question
       where language = $1 and topic = wanted.topic and validated and retired_at is null
         and draw_key < wanted.start
       order by draw_key limit ${WINDOW})
      order by turn, draw_key limit ${WINDOW})
    order by random() limit $4) as drawn
  join question on question.id = drawn.id
  ${withDifficulty ? 'left join question_difficulty on question_id = drawn.id' : ''}
  where ${isOffered('$1')}`;

const DRAW = drawOf({ withDifficulty: false });
const DRAW_WITH_DIFFICULTY = drawOf({ withDifficulty: true });

// Of thousands of topics a random choice: no quiz is long enough for all of them.
const MAX_TOPICS = 60;

/**
 * Draws at most `count` different questions at random: fewer when the bank has no more, none in a language
 * that is not offered to learners. One excludes another only where there are too few others.
 */
export async function drawQuestions(db: Queryable, draw: Draw): Promise<DrawnQuestion[]> {
  const { rows } = await db.query<DrawnQuestion & Excluding>({
    name: 'draw-questions',
    text: DRAW,
    values: await drawValues(db, draw),
  });
  const { added, excluded } = new CompatibleQuestions().addFirst(
    spread(shuffled(rows)),
    draw.count,
  );
  const drawn = [...added, ...excluded.slice(0, draw.count - added.length)];
  return shuffled(drawn.map(({ id, topic }) => ({ id, topic })));
}

/** Drawn from a topic for each question wanted, so that enough are left when some exclude others. */
const CANDIDATES = 2;

async function drawValues(db: Queryable, { language, topic, count }: Draw) {
  const topics = topic ? [topic] : shuffled(await listTopics(db, language)).slice(0, MAX_TOPICS);
  return [language, topics, topics.map(() => Math.random()), CANDIDATES * count];
}

/** A question with how hard it is, in logits; 0, as hard as the average, where it is not measured. */
export interface Candidate extends DrawnQuestion, Excluding {
  difficulty: number;
}

/** The size of a test, and how many of its questions count. */
interface TestSize {
  count: number;
  counted: number;
}

/**
 * Draws the questions of a test, evenly from all topics, so that tests are about equally hard, and which of
 * them count. No question excludes another. Fewer when the bank has no more, none in a language that is not
 * offered to learners.
 */
export async function drawTest(
  db: Queryable,
  { language, count, counted }: TestSize & { language: string },
): Promise<(DrawnQuestion & { counted: boolean })[]> {
  const { rows } = await db.query<Candidate>({
    name: 'draw-test',
    text: DRAW_WITH_DIFFICULTY,
    values: await drawValues(db, { language, topic: null, count }),
  });
  return balancedTest(rows, { count, counted });
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
  const byTopic = Map.groupBy(candidates, ({ topic }) => topic);
  const evenly = spread(shuffled(candidates, random)).slice(0, count);
  const shares = [...Map.groupBy(evenly, ({ topic }) => topic)];
  const attempt = () => {
    const compatible = new CompatibleQuestions();
    // In another order each time: a topic that comes late has more that is excluded.
    const questions = shuffled(shares, random).flatMap(([topic, share]) =>
      pick(byTopic.get(topic)!, share.length, compatible, random),
    );
    if (questions.length < evenly.length) {
      const left = candidates.filter((candidate) => !questions.includes(candidate));
      const missing = evenly.length - questions.length;
      questions.push(...compatible.addFirst(spread(shuffled(left, random)), missing).added);
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
