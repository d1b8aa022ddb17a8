import type { LearningResponse } from '@proveklar/contract/learning.ts';
import type { Exam } from '@proveklar/contract/quiz.ts';
import type { Database, Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import { RevisionCache, readBankRevision } from '#questions/revision-cache.ts';
import { estimateAbility, levelOf, logistic } from './ability.ts';
import { MAX_SET, type Practisable, readPractisable, TODAY } from './draw-today.ts';
import {
  knownBefore,
  type ReadinessInput,
  readinessOf,
  recallFeatures,
  recallProbability,
  repeatsOf,
} from './readiness.ts';
import { type LearningFit, readFit } from './refit.ts';
import { readPlan, storeOutcome } from './plan.ts';

/** Readiness is silent with fewer answers, or over fewer topics. */
const MIN_ANSWERS = 40;
const MIN_TOPICS = 5;

interface ExamProfile {
  counted: number;
  passMark: number;
  options: number;
}

interface TopicSize {
  topic: string;
  total: number;
  /** Mean of the difficulties, in logits; 0 where it is not measured. */
  difficulty: number;
  /** Mean of their squares; that of all questions where it is not measured. */
  difficultySquare: number;
}

const isKnown = ({ last_correct, is_fading }: Practisable): boolean => last_correct && !is_fading;

/** What an account knows, what it plans, and how ready it is for its exam. */
export async function readLearning(
  db: Database,
  accountId: string,
  language: string,
): Promise<LearningResponse> {
  const [plan, fit] = await Promise.all([readPlan(db, accountId), readFit(db)]);
  const [rows, sizes, days, exam] = await Promise.all([
    readPractisable(db, accountId, language),
    readTopicSizes(db, language, fit),
    readDays(db, accountId),
    readExam(db, plan.exam),
  ]);
  const byTopic = Map.groupBy(rows, ({ topic }) => topic);
  const topics = sizes.map(({ topic, total }) => {
    const seen = byTopic.get(topic) ?? [];
    const known = seen.filter(isKnown).length;
    return {
      topic,
      total,
      known,
      unsure: seen.length - known,
      unseen: Math.max(0, total - seen.length),
    };
  });
  const done = days.find(({ ago }) => ago === 0)?.answers ?? 0;
  const unsure = rows.filter((row) => !isKnown(row));
  // As today's practice draws them: today's mistakes wait for tomorrow, so that a day can end.
  const unsureBefore = unsure.filter(({ elapsed_days }) => elapsed_days > 0).length;
  const unseen = topics.reduce((sum, topic) => sum + topic.unseen, 0);
  const toGoal = Math.max(0, plan.daily_goal - done);
  // The goal is a day's work: after a holiday, or the day before the exam, no learner is told to repeat hundreds.
  const again = rows.filter((row) => row.is_due && isKnown(row)).length;
  const due = Math.min(unsureBefore + again, toGoal);
  return {
    exam: plan.exam,
    exam_date: plan.exam_date,
    daily_goal: plan.daily_goal,
    reminders: plan.reminders,
    reminders_stopped: plan.reminders_stopped,
    support_access: plan.support_access,
    auto_advance: plan.auto_advance,
    today: {
      goal: plan.daily_goal,
      done,
      due,
      again_tomorrow: unsure.length - unsureBefore,
      new: Math.min(unseen, toGoal - due),
    },
    streak: streakOf(days.map(({ ago }) => ago)),
    ...readinessFrom(rows, sizes, exam, fit),
    access_ends_first: plan.access_ends_first,
    ask_outcome: plan.ask_outcome,
    topics,
  };
}

/**
 * Records how an exam went, beside what readiness says now and without the account.
 *
 * @param passed null when the learner does not want to say
 * @throws AppError `account_disabled`
 */
export async function answerOutcome(
  db: Database,
  account: { id: string; language: string },
  passed: boolean | null,
): Promise<void> {
  const { readiness } = await readLearning(db, account.id, account.language);
  await storeOutcome(db, account.id, { passed, probability: readiness?.probability ?? null });
}

function readinessFrom(
  rows: readonly Practisable[],
  sizes: readonly TopicSize[],
  exam: ExamProfile,
  fit: LearningFit,
): Pick<LearningResponse, 'readiness' | 'answers_missing' | 'next_step'> {
  const byTopic = Map.groupBy(rows, ({ topic }) => topic);
  const answers = rows.reduce((sum, { times_shown }) => sum + times_shown, 0);
  if (answers < MIN_ANSWERS || byTopic.size < Math.min(MIN_TOPICS, sizes.length)) {
    const answers_missing = Math.max(0, MIN_ANSWERS - answers);
    return { readiness: null, answers_missing, next_step: null };
  }
  const ability = estimateAbility(
    rows.map((row) => ({
      topic: row.topic,
      correct: row.first_correct,
      difficulty: row.difficulty,
      guess: 1 / row.options,
    })),
    fit.population,
  );
  const input: ReadinessInput = {
    topics: sizes.map((size) => {
      const unseen = unseenOf(size, byTopic.get(size.topic) ?? [], fit);
      // Until a sourced weight stands in the exam profile, every topic weighs the same.
      return { topic: size.topic, weight: 1, ...unseen };
    }),
    seen: rows.map((row) => ({
      topic: row.topic,
      difficulty: row.difficulty,
      firstCorrect: row.first_correct,
      guess: 1 / row.options,
      lastCorrect: row.last_correct,
      timesShown: row.times_shown,
      timesRight: row.times_right,
      stability: row.stability,
      elapsedDays: row.elapsed_days,
    })),
    exam,
    recall: fit.recall,
  };
  const { probability, low, high } = readinessOf(ability, input);
  return {
    readiness: { probability: round(probability), low: round(low), high: round(high), answers },
    answers_missing: 0,
    next_step: nextStep(ability, input),
  };
}

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

const round = (value: number) => Math.round(value * 1000) / 1000;

/** The set of at most ten questions that would raise the expected share of right answers most. */
function nextStep(
  ability: ReturnType<typeof estimateAbility>,
  { topics, seen, recall }: ReadinessInput,
): LearningResponse['next_step'] {
  const byTopic = Map.groupBy(seen, ({ topic }) => topic);
  const sizeOf = new Map(
    topics.map(({ topic, unseen }) => [topic, unseen + (byTopic.get(topic)?.length ?? 0)]),
  );
  const levels = new Map(topics.map(({ topic }) => [topic, levelOf(ability, topic).level]));
  const repeats = repeatsOf(seen, recall);
  /** After a right answer today. */
  const fresh = recallProbability(
    recallFeatures(
      {
        lastCorrect: true,
        timesShown: 2,
        timesRight: 1,
        stability: 1,
        elapsedDays: 0,
      },
      repeats,
    ),
    recall,
  );
  const repeated = seen
    .map((question) => {
      const before = knownBefore(levels.get(question.topic)! - question.difficulty, question);
      const remembered = recallProbability(recallFeatures(question, repeats), recall);
      return ((1 - before) * (fresh - remembered)) / sizeOf.get(question.topic)!;
    })
    .toSorted((a, b) => b - a)
    .slice(0, MAX_SET);
  const steps = [
    {
      kind: 'repeat' as const,
      topic: null,
      questions: repeated.length,
      gain: repeated.reduce((sum, value) => sum + value, 0),
    },
    ...topics
      .filter(({ unseen }) => unseen > 0)
      .map(({ topic, unseen, difficulty }) => {
        const known = logistic(levels.get(topic)! - difficulty);
        const questions = Math.min(unseen, MAX_SET);
        const gain = (questions * (1 - known) * fresh) / sizeOf.get(topic)!;
        return { kind: 'new' as const, topic, questions, gain };
      }),
  ].filter(({ questions, gain }) => questions > 0 && gain > 0);
  const [best] = steps.toSorted((a, b) => b.gain - a.gain);
  return best ? { kind: best.kind, topic: best.topic, questions: best.questions } : null;
}

const caches = new WeakMap<Database, RevisionCache<TopicSize[]>>();

/** The questions of each topic, which takes a scan of the bank's index: once for each change of the bank, and each refit. */
async function readTopicSizes(
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

/** The days on which an account has answered, the newest first, as days ago. */
async function readDays(db: Queryable, accountId: string) {
  const { rows } = await db.query<{ ago: number; answers: number }>({
    name: 'learning-days',
    text: `select ${TODAY} - (answered_at at time zone 'Europe/Oslo')::date as ago,
                  count(*)::int as answers
           from quiz join quiz_answer on quiz_answer.quiz_id = quiz.id
           where account_id = $1 group by 1 order by 1`,
    values: [accountId],
  });
  return rows;
}

/** Days of a week of which one may be missed. */
const FORGIVING_DAYS = 7;

/**
 * The days in a row, up to today or yesterday. One missed day in seven does not end it: it is not counted as a
 * day either.
 *
 * @param daysAgo the days with practice, the newest first
 */
export function streakOf(daysAgo: readonly number[]): LearningResponse['streak'] {
  const practised = new Set(daysAgo);
  let days = 0;
  const forgiven: number[] = [];
  for (let ago = 0; ; ago += 1) {
    if (practised.has(ago)) days += 1;
    else if (ago > 0) {
      const isForgiven =
        practised.has(ago + 1) && forgiven.every((other) => ago - other >= FORGIVING_DAYS);
      if (!isForgiven) break;
      forgiven.push(ago);
    }
  }
  return { days, forgiven_used: days === 0 ? 0 : forgiven.length };
}

async function readExam(db: Queryable, name: Exam): Promise<ExamProfile> {
  const { rows } = await db.query<ExamProfile>({
    name: 'learning-exam',
    text: `select questions_counted as counted, pass_mark as "passMark", options_shown as options
           from exam_profile where name = $1`,
    values: [name],
  });
  return rows[0]!;
}
