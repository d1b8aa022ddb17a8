import { SET_SIZE } from '@proveklar/contract/quiz-topics.ts';
import type { Database, Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { shuffled } from '#questions/draw-questions.ts';
import { CompatibleQuestions, EXCLUDING, type Excluding } from '#questions/exclusions.ts';
import { levelOf, logistic, rightProbability } from './ability.ts';
import {
  abilityFrom,
  type Practisable,
  readPractisable,
  readTopicSizes,
  seenOf,
} from './learner-state.ts';
import { repeatGains } from './readiness.ts';
import { readFit } from './refit.ts';

/**
 * Places of a set for questions that were wrong earlier on the same day, whatever else is to be repeated: they
 * return in the same sitting.
 */
const TODAYS_MISTAKES = 2;

/** A question of today's practice. */
export interface TodaysQuestion {
  id: number;
  topic: string;
  /** How often the learner was shown it before; seeds the order of its options. */
  timesShown: number;
}

/** Of the questions of a set or of a day. More would leave too little time for the rest of the bank. */
const REPEATED_SHARE = 0.3;

/** How many of so many questions are repeated, at most, as long as there are new ones. */
export const repeatedOf = (questions: number): number => Math.ceil(REPEATED_SHARE * questions);

/** Whether questions are due because the exam or the end of the service is near: then all of a set may be repeated. */
export const isEndNear = (rows: readonly Practisable[]): boolean =>
  rows.some(({ is_due, is_fading }) => is_due && !is_fading);

/** To be repeated: due, or answered wrong the last time. */
export const isWaiting = ({ is_due, last_correct }: Practisable): boolean =>
  is_due || !last_correct;

export const isTodaysMistake = ({ elapsed_days, last_correct }: Practisable): boolean =>
  elapsed_days === 0 && !last_correct;

/**
 * Draws the next set of today's practice: questions that are due, then those whose last answer was wrong, then
 * new ones. What was wrong today returns in the next set that has room for it. Of the other repetitions it takes
 * those with the largest expected gain, and of the new questions those that are neither too easy nor too hard. A
 * set has fewer questions only where there are no more. A question that excludes one before it waits for another
 * day, unless the set would have fewer questions.
 */
export async function drawToday(
  db: Database,
  accountId: string,
  { language, count }: { language: string; count: number },
): Promise<TodaysQuestion[]> {
  const { rows, ability, fit } = await readLearner(db, accountId, language);
  const sizes = await readTopicSizes(db, language, fit);
  const size = Math.min(count, SET_SIZE);
  const topicSize = new Map(sizes.map(({ topic, total }) => [topic, total]));
  const gains = repeatGains(ability, rows.map(seenOf), fit.recall);
  const ranked = rows
    .map((row, index) => ({ row, gain: gains[index]! / (topicSize.get(row.topic) ?? 1) }))
    .toSorted((a, b) => b.gain - a.gain)
    .map(({ row }) => row)
    .filter(isWaiting);
  const [today, before] = [
    ranked.filter(isTodaysMistake),
    ranked.filter((row) => !isTodaysMistake(row)),
  ];
  const waiting = [...today.slice(0, TODAYS_MISTAKES), ...before, ...today.slice(TODAYS_MISTAKES)];
  const compatible = new CompatibleQuestions();
  const repeated = compatible.addFirst(waiting, isEndNear(rows) ? size : repeatedOf(size));
  const fresh = await drawNew(db, accountId, {
    language,
    count: size - repeated.added.length,
    topics: sizes.map(({ topic, total }) => ({
      topic,
      level: levelOf(ability, topic).level,
      weight: 1 / total,
    })),
    compatible,
  });
  const missing = size - repeated.added.length - fresh.added.length;
  const others = waiting.filter(
    (row) => !repeated.added.includes(row) && !repeated.excluded.includes(row),
  );
  const left = compatible.addFirst(others, missing);
  const again = [...repeated.added, ...left.added].toSorted(
    (a, b) => Number(b.last_correct) - Number(a.last_correct),
  );
  return [
    ...again.map(toRepeated),
    ...fresh.added,
    ...repeated.excluded.map(toRepeated),
    ...left.excluded.map(toRepeated),
    ...fresh.excluded,
  ].slice(0, size);
}

async function readLearner(db: Queryable, accountId: string, language: string) {
  const fit = await readFit(db);
  const rows = await readPractisable(db, accountId, language);
  return { rows, ability: abilityFrom(rows, fit), fit };
}

const toRepeated = ({ id, topic, times_shown }: Practisable): TodaysQuestion => ({
  id,
  topic,
  timesShown: times_shown,
});

/** Draws questions of a topic that the learner was not shown, as for today's practice; fewer where there are no more. */
export async function drawNewOf(
  db: Queryable,
  accountId: string,
  { topic, ...draw }: { topic: string; language: string; count: number },
): Promise<TodaysQuestion[]> {
  const { ability } = await readLearner(db, accountId, draw.language);
  const compatible = new CompatibleQuestions();
  const topics = [{ topic, level: levelOf(ability, topic).level, weight: 1 }];
  const drawn = await drawNew(db, accountId, { ...draw, topics, compatible });
  return [...drawn.added, ...drawn.excluded].slice(0, draw.count);
}

interface NewDraw {
  language: string;
  topics: NewTopic[];
  count: number;
  /** The questions that the set has; what is drawn is added. */
  compatible: CompatibleQuestions;
}

interface NewTopic {
  topic: string;
  /** What the learner knows of it, in logits. */
  level: number;
  /** Of a question in the exam: the fewer the topic has, the more. */
  weight: number;
}

/** Topics to draw new questions from, of which there may be thousands. */
const MAX_TOPICS = 60;

/** New questions of a topic to choose from. */
const CANDIDATES = 40;
/**
 * Predicted success at new questions: below it they discourage, above it they teach little. Others are drawn
 * when there are no more within it, the nearest first.
 */
const SUCCESS_BAND = [0.4, 0.85] as const;
/** Logits. A random part of the choice, so that not every learner gets the same questions first. */
const NOISE = 0.5;

const newFrom = (turn: number, keys: string) => `
  (select id, ${turn} as turn, draw_key from question
   where language = $2 and topic = wanted.topic and validated and retired_at is null and ${keys}
     and not exists (select from learner_question known
                     where known.account_id = $1 and known.question_id = question.id)
     and not exists (select from question_merge merged
                     join learner_question known on known.question_id = merged.question_id
                     where merged.into_id = question.id and known.account_id = $1)
   order by draw_key limit ${CANDIDATES})`;

// As draw-questions.ts draws: from a random key onwards, and round at the end. The cost is that of the
// questions that the learner has met, not of the bank.
const DRAW_NEW = `
  select drawn.id, wanted.topic, ${EXCLUDING}, coalesce(difficulty, 0)::float8 as difficulty,
         cardinality(question.incorrect) + 1 as options
  from unnest($3::text[], $4::float8[]) as wanted (topic, start)
  cross join lateral (
    select id from (
      ${newFrom(0, 'draw_key >= wanted.start')} union all ${newFrom(1, 'draw_key < wanted.start')}
      order by turn, draw_key limit ${CANDIDATES})) as drawn
  join question on question.id = drawn.id
  left join question_difficulty on question_id = drawn.id
  where ${isOffered('$2')}`;

async function drawNew(
  db: Queryable,
  accountId: string,
  { language, topics, count, compatible }: NewDraw,
): Promise<{ added: TodaysQuestion[]; excluded: TodaysQuestion[] }> {
  const drawn: TodaysQuestion[] = [];
  const excluded: TodaysQuestion[] = [];
  if (count <= 0) return { added: drawn, excluded };
  const some = shuffled(topics).slice(0, MAX_TOPICS);
  const { rows } = await db.query<NewQuestion>({
    name: 'todays-new',
    text: DRAW_NEW,
    values: [accountId, language, some.map(({ topic }) => topic), some.map(() => Math.random())],
  });
  const byName = new Map(topics.map((topic) => [topic.topic, topic]));
  const byTopic = Map.groupBy(
    rows.map((row) => valued(row, byName.get(row.topic)!)).toSorted((a, b) => -order(a, b)),
    ({ topic }) => topic,
  );
  // A topic that has had one is worth half as much, then a third, so that a set has several of them.
  const had = new Map([...byTopic.keys()].map((topic) => [topic, 0]));
  while (drawn.length < count && had.size > 0) {
    const worth = (topic: string) => {
      const { outside, gain } = byTopic.get(topic)!.at(-1)!;
      return { outside, gain: gain / (had.get(topic)! + 1) };
    };
    const next = [...had.keys()].reduce((a, b) => (order(worth(a), worth(b)) > 0 ? b : a));
    const question = byTopic.get(next)!.pop()!;
    const fits = compatible.add(question);
    (fits ? drawn : excluded).push({ id: question.id, topic: next, timesShown: 0 });
    if (fits) had.set(next, had.get(next)! + 1);
    if (byTopic.get(next)!.length === 0) had.delete(next);
  }
  return { added: drawn, excluded };
}

interface NewQuestion extends Excluding {
  id: number;
  topic: string;
  difficulty: number;
  options: number;
}

/** Adds the distance of the predicted success from the band, and the expected gain. */
function valued(question: NewQuestion, { level, weight }: NewTopic) {
  const above = level - question.difficulty;
  const success = rightProbability(logistic(above), 1 / question.options);
  const outside = Math.max(0, SUCCESS_BAND[0] - success, success - SUCCESS_BAND[1]);
  const gain = weight * (1 - logistic(above + NOISE * (Math.random() - 0.5)));
  return { ...question, outside, gain };
}

/** The best first. */
const order = (a: Value, b: Value) => a.outside - b.outside || b.gain - a.gain;
type Value = Pick<ReturnType<typeof valued>, 'outside' | 'gain'>;
