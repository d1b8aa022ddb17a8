import type { Exam } from '@proveklar/contract/quiz.ts';
import type { Database, Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { EXCLUDING, type Excluding } from '#questions/exclusions.ts';
import { RevisionCache, readBankRevision } from '#questions/revision-cache.ts';
import { type Ability, estimateAbility } from './ability.ts';
import { KNOWN_QUESTIONS } from './latest-answers.ts';
import type { Exam as ExamProfile, ReadinessInput, SeenQuestion } from './readiness.ts';
import { dayOf } from './record-answers.ts';
import type { LearningFit } from './refit.ts';

// What is known of a learner, of the bank and of an exam: for today's practice and for readiness.

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
  from ${KNOWN_QUESTIONS} known
  join account on account.id = known.account_id
  join question on question.id = known.question_id
  left join learner_plan plan on plan.account_id = known.account_id
  left join question_difficulty measured on measured.question_id = known.question_id
  where question.language = $2 and question.validated and question.retired_at is null
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

/** The questions of a topic of the bank. */
export interface TopicSize {
  topic: string;
  total: number;
  /** Mean of the difficulties, in logits; 0 where it is not measured. */
  difficulty: number;
  /** Mean of their squares; that of all questions where it is not measured. */
  difficultySquare: number;
}

const caches = new WeakMap<Database, RevisionCache<TopicSize[]>>();

/** The questions of each topic, which takes a scan of the bank's index: once for each change of the bank, and each refit. */
export async function readTopicSizes(
  db: Database,
  language: string,
  fit: LearningFit,
): Promise<TopicSize[]> {
  let cache = caches.get(db);
  if (!cache) caches.set(db, (cache = new RevisionCache()));
  const revision = `${await readBankRevision(db)} ${fit.revision}`;
  const lookup = { key: language, revision, expires: false };
  return cache.get(lookup, async () => {
    const { rows } = await db.query<TopicSize>(
      `select topic, count(*)::int as total, avg(coalesce(difficulty, 0))::float8 as difficulty,
              avg(coalesce(difficulty ^ 2, $2))::float8 as "difficultySquare"
       from question left join question_difficulty on question_id = question.id
       where language = $1 and validated and retired_at is null and ${isOffered('$1')}
       group by topic order by topic collate "nb-x-icu"`,
      [language, fit.population.difficultyVariance],
    );
    return rows;
  });
}

/** An exam's profile. */
export async function readExam(db: Queryable, name: Exam): Promise<ExamProfile> {
  const { rows } = await db.query<ExamProfile>({
    name: 'learning-exam',
    text: `select questions_counted as counted, pass_mark as "passMark", options_shown as options
           from exam_profile where name = $1`,
    values: [name],
  });
  return rows[0]!;
}

/** What a learner knows. */
export interface State {
  ability: Ability;
  input: ReadinessInput;
}

/** What the answers of an account say. */
export function stateOf(
  rows: readonly Practisable[],
  sizes: readonly TopicSize[],
  exam: ExamProfile,
  fit: LearningFit,
): State {
  const byTopic = Map.groupBy(rows, ({ topic }) => topic);
  const input: ReadinessInput = {
    topics: sizes.map((size) => {
      const unseen = unseenOf(size, byTopic.get(size.topic) ?? [], fit);
      // Until a sourced weight stands in the exam profile, every topic weighs the same.
      return { topic: size.topic, weight: 1, ...unseen };
    }),
    seen: rows.map(seenOf),
    exam,
    recall: fit.recall,
  };
  return { ability: abilityFrom(rows, fit), input };
}

export const abilityFrom = (rows: readonly Practisable[], { population }: LearningFit): Ability =>
  estimateAbility(
    rows.map((row) => ({
      topic: row.topic,
      correct: row.first_correct,
      difficulty: row.difficulty,
      guess: 1 / row.options,
    })),
    population,
  );

export const seenOf = (row: Practisable): SeenQuestion => ({
  topic: row.topic,
  difficulty: row.difficulty,
  firstCorrect: row.first_correct,
  guess: 1 / row.options,
  lastCorrect: row.last_correct,
  timesShown: row.times_shown,
  timesRight: row.times_right,
  stability: row.stability,
  elapsedDays: row.elapsed_days,
});

/** Today's practice draws hard questions first, so those that are left are easier and more alike. */
function unseenOf(
  { total, difficulty, difficultySquare }: TopicSize,
  seen: readonly Practisable[],
  { population }: LearningFit,
) {
  const unseen = total - seen.length;
  if (unseen <= 0) return { unseen: 0, difficulty: 0, difficultyVariance: 0 };
  const sum = seen.reduce((all, row) => all + row.difficulty, 0);
  const squares = seen.reduce((all, row) => all + row.difficulty ** 2, 0);
  const mean = (total * difficulty - sum) / unseen;
  const variance = (total * difficultySquare - squares) / unseen - mean ** 2;
  return {
    unseen,
    difficulty: mean,
    difficultyVariance: Math.min(population.difficultyVariance, Math.max(0, variance)),
  };
}
