import type { Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { listTopics } from './topics.ts';

export interface DrawnQuestion {
  id: number;
  topic: string;
}

export interface Draw {
  language: string;
  /** Null draws over all topics, spread evenly. */
  topic: string | null;
  count: number;
}

// The window starts at a random key and goes round at the end. Within it every question is as
// likely as any other, and a hundred keys wide it evens out how unevenly the keys lie: the cost is
// the same in a bank of a thousand and of a million.
const WINDOW = 100;

const DRAW = `
  select drawn.id, wanted.topic
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
  where ${isOffered('$1')}`;

// Of thousands of topics some are drawn: no quiz is long enough to show them all.
const MAX_TOPICS = 60;

/**
 * Draws different questions at random, at most `count`: fewer when the bank has no more, none in a language
 * that learners are not offered.
 */
export async function drawQuestions(db: Queryable, draw: Draw): Promise<DrawnQuestion[]> {
  const topics = draw.topic
    ? [draw.topic]
    : shuffled(await listTopics(db, draw.language)).slice(0, MAX_TOPICS);
  const { rows } = await db.query<DrawnQuestion>({
    name: 'draw-questions',
    text: DRAW,
    values: [draw.language, topics, topics.map(() => Math.random()), draw.count],
  });
  return shuffled(spread(shuffled(rows), draw.count));
}

function shuffled<T>(items: readonly T[]): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(Math.random() * (last + 1));
    [copy[last], copy[chosen]] = [copy[chosen]!, copy[last]!];
  }
  return copy;
}

/** Takes one of each topic in turn until there are enough. */
function spread(questions: DrawnQuestion[], count: number): DrawnQuestion[] {
  const byTopic = [...Map.groupBy(questions, (question) => question.topic).values()];
  const rounds = Math.max(0, ...byTopic.map((topic) => topic.length));
  return Array.from({ length: rounds }, (_, round) => round)
    .flatMap((round) => byTopic.flatMap((topic) => topic[round] ?? []))
    .slice(0, count);
}
