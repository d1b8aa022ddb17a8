import type { Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { shuffled } from '#questions/draw-questions.ts';
import { CompatibleQuestions, EXCLUDING, type Excluding } from '#questions/exclusions.ts';
import { listTopics } from '#questions/topics.ts';
import { dayOf } from './record-answers.ts';
import { retrievability } from './memory.ts';

/**
 * Mistakes of the same day in a set that has other questions. A repetition on the same day teaches less than a
 * new question; the rest are due tomorrow.
 */
const MAX_TODAYS_MISTAKES = 1;

/** Questions of a set: 10 take about five minutes. */
export const MAX_SET = 10;

/** SQL: today in Europe/Oslo. */
export const TODAY = `(now() at time zone 'Europe/Oslo')::date`;

/** SQL: the day of the exam, or the last one of the service if it is earlier; null if neither is ahead. */
const END = `least(
  case when plan.exam_date >= ${TODAY} then plan.exam_date end,
  case when account.service_expires_at > now()
       then (account.service_expires_at at time zone 'Europe/Oslo')::date end)`;

/**
 * SQL: the day from which a question `known` is due again. It is never later than the day before the exam or
 * the last day of the service, so that every question is repeated once more before it is needed. An exam in the
 * past bounds nothing, nor a service that has ended. Needs `account`, and `plan` outer joined.
 */
const DUE_ON = `least(known.due_on,
  case when ${END} is not null
       then greatest((known.last_answered_at at time zone 'Europe/Oslo')::date + 1, ${END} - 1) end)`;

const PRACTISABLE = `
  select known.question_id as id, question.topic, known.first_correct, known.last_correct,
         known.stability, known.times_shown, known.times_right, coalesce(measured.difficulty, 0)::float8 as difficulty,
         cardinality(question.incorrect) + 1 as options, ${EXCLUDING}, ${DUE_ON} <= ${TODAY} as is_due,
         known.due_on <= ${TODAY} as is_fading,
         ${dayOf('now()')} - ${dayOf('known.last_answered_at')} as elapsed_days
  from learner_question known
  join account on account.id = known.account_id
  join question on question.id = known.question_id
  left join learner_plan plan on plan.account_id = known.account_id
  left join question_difficulty measured on measured.question_id = known.question_id
  where known.account_id = $1 and question.language = $2 and question.validated and question.retired_at is null
    and ${isOffered('$2')}`;

export interface Practisable extends Excluding {
  id: number;
  topic: string;
  first_correct: boolean;
  last_correct: boolean;
  stability: number;
  times_shown: number;
  times_right: number;
  /** How hard it is for everyone, in logits; 0 when it is not measured. */
  difficulty: number;
  options: number;
  /** To be repeated: it fades, or the exam or the end of the service is near. */
  is_due: boolean;
  /** The probability that it is remembered is below the target. */
  is_fading: boolean;
  elapsed_days: number;
}

/** What an account remembers of the questions of a language that can be practised now. */
export async function readPractisable(
  db: Queryable,
  accountId: string,
  language: string,
): Promise<Practisable[]> {
  const { rows } = await db.query<Practisable>({
    name: 'learning-known',
    text: PRACTISABLE,
    values: [accountId, language],
  });
  return rows;
}

/** A question of today's practice. */
export interface TodaysQuestion {
  id: number;
  topic: string;
  /** How often the learner was shown it before; seeds the order of its options. */
  timesShown: number;
}

/**
 * Draws the next set of today's practice: due questions first, the most forgotten before the others; then
 * those whose last answer was wrong, the longest ago first; then new ones, more of the topics that the
 * learner knows least, and rather hard ones, which they probably do not know. A set has fewer questions
 * only where there are no more. A question that excludes one before it waits for another day, unless the set
 * would have fewer questions.
 */
export async function drawToday(
  db: Queryable,
  accountId: string,
  { language, count }: { language: string; count: number },
): Promise<TodaysQuestion[]> {
  const rows = await readPractisable(db, accountId, language);
  const size = Math.min(count, MAX_SET);
  const recallOf = (row: Practisable) => retrievability(row.stability, row.elapsed_days);
  const due = rows
    .filter((row) => row.is_due && row.last_correct)
    .toSorted((a, b) => recallOf(a) - recallOf(b));
  const wrong = rows.filter((row) => !row.last_correct);
  const mistakes = wrong
    .filter(({ elapsed_days }) => elapsed_days > 0)
    .toSorted((a, b) => b.elapsed_days - a.elapsed_days);
  const todaysMistakes = wrong.filter(({ elapsed_days }) => elapsed_days === 0);
  const compatible = new CompatibleQuestions();
  const repeated = compatible.addFirst(
    [...due, ...mistakes, ...todaysMistakes.slice(0, MAX_TODAYS_MISTAKES)],
    size,
  );
  const fresh = await drawNew(db, accountId, {
    language,
    count: size - repeated.added.length,
    shareRight: shareRightOf(rows),
    compatible,
  });
  const missing = size - repeated.added.length - fresh.added.length;
  const left = compatible.addFirst(todaysMistakes.slice(MAX_TODAYS_MISTAKES), missing);
  return [
    ...repeated.added.map(toRepeated),
    ...fresh.added,
    ...left.added.map(toRepeated),
    ...repeated.excluded.map(toRepeated),
    ...left.excluded.map(toRepeated),
    ...fresh.excluded,
  ].slice(0, size);
}

const toRepeated = ({ id, topic, times_shown }: Practisable): TodaysQuestion => ({
  id,
  topic,
  timesShown: times_shown,
});

/** The share of each topic's questions whose last answer was right, towards a half where there are few. */
function shareRightOf(rows: readonly Practisable[]): Map<string, number> {
  const byTopic = Map.groupBy(rows, ({ topic }) => topic);
  return new Map(
    [...byTopic].map(([topic, known]) => [
      topic,
      (known.filter(({ last_correct }) => last_correct).length + 1) / (known.length + 2),
    ]),
  );
}

/** Draws questions of a topic that the learner was not shown, rather hard ones; fewer where there are no more. */
export async function drawNewOf(
  db: Queryable,
  accountId: string,
  { topic, ...draw }: { topic: string; language: string; count: number },
): Promise<TodaysQuestion[]> {
  const compatible = new CompatibleQuestions();
  const shareRight = new Map<string, number>();
  const drawn = await drawNew(db, accountId, { ...draw, topics: [topic], shareRight, compatible });
  return [...drawn.added, ...drawn.excluded].slice(0, draw.count);
}

interface NewDraw {
  language: string;
  /** By default all topics of the language. */
  topics?: string[];
  count: number;
  shareRight: ReadonlyMap<string, number>;
  /** The questions that the set has; what is drawn is added. */
  compatible: CompatibleQuestions;
}

/** Topics to draw new questions from, of which there may be thousands. */
const MAX_TOPICS = 60;

/** New questions of a topic of which the hard ones are chosen. */
const CANDIDATES = 40;
/** Logits. A random part of the choice, so that not every learner gets the same questions first. */
const DIFFICULTY_NOISE = 1.5;

const newFrom = (turn: number, keys: string) => `
  (select id, ${turn} as turn, draw_key from question
   where language = $2 and topic = wanted.topic and validated and retired_at is null and ${keys}
     and not exists (select from learner_question known
                     where known.account_id = $1 and known.question_id = question.id)
   order by draw_key limit ${CANDIDATES})`;

// As draw-questions.ts draws: from a random key onwards, and round at the end. The cost is that of the
// questions that the learner has met, not of the bank.
const DRAW_NEW = `
  select drawn.id, wanted.topic, ${EXCLUDING}, coalesce(difficulty, 0)::float8 as difficulty
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
  { language, topics: wanted, count, shareRight, compatible }: NewDraw,
): Promise<{ added: TodaysQuestion[]; excluded: TodaysQuestion[] }> {
  const drawn: TodaysQuestion[] = [];
  const excluded: TodaysQuestion[] = [];
  if (count <= 0) return { added: drawn, excluded };
  const topics = wanted ?? shuffled(await listTopics(db, language)).slice(0, MAX_TOPICS);
  const { rows } = await db.query<Excluding & { id: number; topic: string; difficulty: number }>({
    name: 'todays-new',
    text: DRAW_NEW,
    values: [accountId, language, topics, topics.map(() => Math.random())],
  });
  const easyFirst = rows
    .map((row) => ({ ...row, order: row.difficulty + DIFFICULTY_NOISE * Math.random() }))
    .toSorted((a, b) => a.order - b.order);
  const byTopic = Map.groupBy(easyFirst, ({ topic }) => topic);
  // The topic that has had the least of its weight is next: 1 for each topic of the exam, times what is
  // not known of it.
  const had = new Map(shuffled([...byTopic.keys()]).map((topic) => [topic, 0]));
  while (drawn.length < count && had.size > 0) {
    const load = (topic: string) => (had.get(topic)! + 1) / (1 - (shareRight.get(topic) ?? 0.5));
    const next = [...had.keys()].reduce((a, b) => (load(b) < load(a) ? b : a));
    const question = byTopic.get(next)!.pop();
    if (!question) {
      had.delete(next);
      continue;
    }
    const fits = compatible.add(question);
    (fits ? drawn : excluded).push({ id: question.id, topic: next, timesShown: 0 });
    if (fits) had.set(next, had.get(next)! + 1);
  }
  return { added: drawn, excluded };
}
