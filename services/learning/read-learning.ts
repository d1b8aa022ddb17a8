import type { LearningResponse } from '@proveklar/contract/learning.ts';
import { SET_SIZE } from '@proveklar/contract/quiz-topics.ts';
import type { Database, Queryable } from '#database/pool.ts';
import { type Ability, levelOf, logistic } from './ability.ts';
import { isEndNear, isTodaysMistake, isWaiting, repeatedOf } from './draw-today.ts';
import {
  type Practisable,
  readExam,
  readPractisable,
  readTopicSizes,
  type State,
  stateOf,
  TODAY,
  type TopicSize,
} from './learner-state.ts';
import { paceOf } from './pace.ts';
import { readPlan, storeOutcome } from './plan.ts';
import { type ReadinessInput, readinessOf, recalledAfterRight, repeatGains } from './readiness.ts';
import { ensureRebuilt } from './rebuild.ts';
import { readFit } from './refit.ts';

/** Readiness is silent with fewer answers, or over fewer topics; a bank may have fewer (docs/decisions/0028). */
const MIN_ANSWERS = 40;
const MIN_TOPICS = 5;

const isKnown = ({ last_correct, is_fading }: Practisable): boolean => last_correct && !is_fading;

/** What an account knows, what it plans, and how ready it is for its exam. */
export async function readLearning(
  db: Database,
  accountId: string,
  language: string,
): Promise<LearningResponse> {
  await ensureRebuilt(db, accountId);
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
  const unseen = topics.reduce((sum, topic) => sum + topic.unseen, 0);
  const toGoal = Math.max(0, plan.daily_goal - done);
  // As today's practice draws them. The goal is a day's work: after a holiday, or the day before the exam, no
  // learner is told to repeat hundreds.
  const repeated = isEndNear(rows) ? toGoal : Math.max(repeatedOf(toGoal), toGoal - unseen);
  const due = Math.min(rows.filter(isWaiting).length, repeated);
  const state = stateOf(rows, sizes, exam, fit);
  return {
    exam: plan.exam,
    exam_date: plan.exam_date,
    daily_goal: plan.daily_goal,
    suggested_goal:
      plan.days_left !== null && plan.days_left > 0 && unseen + rows.length > 0
        ? paceOf(state.ability, state.input, plan.days_left)
        : null,
    reminders: plan.reminders,
    reminders_stopped: plan.reminders_stopped,
    support_access: plan.support_access,
    auto_advance: plan.auto_advance,
    today: {
      goal: plan.daily_goal,
      done,
      due,
      wrong_today: rows.filter(isTodaysMistake).length,
      new: Math.min(unseen, toGoal - due),
    },
    streak: streakOf(days.map(({ ago }) => ago)),
    ...readinessFrom(rows, sizes, state),
    access_ends_first: plan.access_ends_first,
    ask_outcome: plan.ask_outcome,
    topics,
  };
}

/**
 * Records how an exam went, beside what readiness said of the day of the exam and without the account.
 *
 * @param passed null when the learner does not want to say
 * @throws AppError `account_disabled`
 */
export async function answerOutcome(
  db: Database,
  account: { id: string; language: string },
  passed: boolean | null,
): Promise<void> {
  const [plan, fit] = await Promise.all([readPlan(db, account.id), readFit(db)]);
  const [rows, sizes, exam] = await Promise.all([
    readPractisable(db, account.id, account.language),
    readTopicSizes(db, account.language, fit),
    readExam(db, plan.exam),
  ]);
  const since = Math.max(0, -(plan.days_left ?? 0));
  // What was practised after the exam counts as practised on its day; there is no other record of it.
  const then = rows.map((row) => ({
    ...row,
    elapsed_days: Math.max(0, row.elapsed_days - since),
  }));
  const { readiness } = readinessFrom(then, sizes, stateOf(then, sizes, exam, fit));
  await storeOutcome(db, account.id, { passed, probability: readiness?.probability ?? null });
}

function readinessFrom(
  rows: readonly Practisable[],
  sizes: readonly TopicSize[],
  { ability, input }: State,
): Pick<LearningResponse, 'readiness' | 'answers_missing' | 'next_step'> {
  const topics = new Set(rows.map(({ topic }) => topic)).size;
  const answers = rows.reduce((sum, { times_shown }) => sum + times_shown, 0);
  if (answers < MIN_ANSWERS || topics < Math.min(MIN_TOPICS, sizes.length)) {
    const answers_missing = Math.max(0, MIN_ANSWERS - answers);
    return { readiness: null, answers_missing, next_step: null };
  }
  const { probability, low, high } = readinessOf(ability, input);
  return {
    readiness: { probability: round(probability), low: round(low), high: round(high), answers },
    answers_missing: 0,
    next_step: nextStep(ability, input),
  };
}

const round = (value: number) => Math.round(value * 1000) / 1000;

/** The set of at most ten questions that would raise the expected share of right answers most. */
function nextStep(
  ability: Ability,
  { topics, seen, recall }: ReadinessInput,
): LearningResponse['next_step'] {
  const byTopic = Map.groupBy(seen, ({ topic }) => topic);
  const sizeOf = new Map(
    topics.map(({ topic, unseen }) => [topic, unseen + (byTopic.get(topic)?.length ?? 0)]),
  );
  const fresh = recalledAfterRight(seen, recall);
  // As many as a set of today's practice repeats.
  const hasNew = topics.some(({ unseen }) => unseen > 0);
  const repeated = repeatGains(ability, seen, recall)
    .map((gain, index) => gain / sizeOf.get(seen[index]!.topic)!)
    .toSorted((a, b) => b - a)
    .slice(0, hasNew ? repeatedOf(SET_SIZE) : SET_SIZE);
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
        const known = logistic(levelOf(ability, topic).level - difficulty);
        const questions = Math.min(unseen, SET_SIZE);
        const gain = (questions * (1 - known) * fresh) / sizeOf.get(topic)!;
        return { kind: 'new' as const, topic, questions, gain };
      }),
  ].filter(({ questions, gain }) => questions > 0 && gain > 0);
  const [best] = steps.toSorted((a, b) => b.gain - a.gain);
  return best ? { kind: best.kind, topic: best.topic, questions: best.questions } : null;
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
