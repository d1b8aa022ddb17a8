import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { regradeUnreportedAnswers } from './regrade.ts';
import { CORRECTED_VERSION, IS_RIGHT_NOW } from './shown-question.ts';

/**
 * Ends the quizzes that are still open, computes their scores and emits their events. Unanswered questions
 * count as wrong. The answers of a practice test become final here, and `answer.submitted` is emitted for
 * them. A test whose time is up has ended at its deadline, whenever it is handed in.
 *
 * Of two concurrent calls, the second waits for the first and finds no open quiz.
 *
 * @returns how many quizzes it ended
 */
export async function handIn(tx: Transaction, quizIds: string[]): Promise<number> {
  // Waits for answers that are being stored (they hold a share lock), so that the score includes them. The
  // rows are locked in the order of their ids, as everywhere, so that no two transactions deadlock.
  const { rows } = await tx.query<{ id: string; kind: string }>({
    name: 'end-quizzes',
    text: `with open as (
             select id from quiz where id = any ($1::uuid[]) and state = 'open'
             order by id for update)
           update quiz set state = 'ended', ended_at = least(now(), deadline_at), score = 0
           from open where quiz.id = open.id returning quiz.id, kind`,
    values: [quizIds],
  });
  if (rows.length === 0) return 0;
  const ended = rows.map((quiz) => quiz.id);
  const tests = rows.filter((quiz) => quiz.kind === 'practice_test').map((quiz) => quiz.id);
  if (tests.length > 0) await regradeUnreportedAnswers(tx, tests);
  await settleScores(tx, ended);
  if (tests.length > 0) await emitAnswers(tx, tests);
  await emitEnds(tx, ended);
  return rows.length;
}

async function settleScores(tx: Transaction, quizIds: string[]): Promise<void> {
  // An answer that was stored while a key was corrected counts here as it will be regraded.
  await tx.query({
    name: 'settle-scores',
    text: `update quiz set score = (
             select count(*) from quiz_question
             join quiz_answer using (quiz_id, question_id)
             left join ${CORRECTED_VERSION}
             where quiz_id = quiz.id and counted
               and case when old.version is null then correct else ${IS_RIGHT_NOW} end)
           where id = any ($1::uuid[])`,
    values: [quizIds],
  });
}

// One statement for many events; `emit` would need a call for each. Payloads: services/events/catalogue.ts.
async function emitAnswers(tx: Transaction, quizIds: string[]): Promise<void> {
  await tx.query({
    name: 'emit-answers',
    text: `insert into outbox (name, payload, trace)
           select 'answer.submitted', jsonb_build_object(
             'quiz_id', quiz_id, 'question_id', question_id, 'correct', correct), $2::jsonb
           from quiz_answer where quiz_id = any ($1::uuid[])`,
    values: [quizIds, outboxTrace()],
  });
}

async function emitEnds(tx: Transaction, quizIds: string[]): Promise<void> {
  await tx.query({
    name: 'emit-ends',
    text: `insert into outbox (name, payload, trace)
           select 'quiz.ended', jsonb_build_object('quiz_id', id), $2::jsonb
           from unnest($1::uuid[]) as ended (id)`,
    values: [quizIds, outboxTrace()],
  });
}

/** The answers of ended drills whose results were not shown before the end. */
export async function listDelayedAnswers(
  tx: Transaction,
  quizIds: string[],
): Promise<{ quiz_id: string; question_id: number }[]> {
  const { rows } = await tx.query<{ quiz_id: string; question_id: number }>({
    name: 'delayed-answers',
    text: `select quiz_id, question_id from quiz join quiz_answer on quiz_answer.quiz_id = quiz.id
           where quiz.id = any ($1::uuid[]) and kind = 'drill' and not instant_feedback`,
    values: [quizIds],
  });
  return rows;
}

/**
 * How many seconds after the deadline of a practice test an answer is still accepted, for answers that
 * were on their way when the time was up. Screens do not show it; the test ends at its deadline.
 */
export const GRACE_SECONDS = 10;

const PAST_GRACE = `quiz.deadline_at <= now() - interval '${GRACE_SECONDS} seconds'`;

/** SQL over `quiz`: whether an open quiz still accepts answers. */
export const IN_TIME = `(${PAST_GRACE}) is not true`;
/** SQL over `quiz`: whether the quiz is open although its time is up, and must be handed in. */
export const IS_OVERDUE = `(quiz.state = 'open' and (${PAST_GRACE}) is true)`;

/**
 * Hands in practice tests whose time is up, at most `limit`, oldest deadline first. It skips tests that
 * are being handed in by another transaction.
 *
 * @returns how many quizzes it ended
 */
export async function handInOverdue(tx: Transaction, limit: number): Promise<number> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'overdue-tests',
    text: `select id from quiz
           where state = 'open' and ${PAST_GRACE}
           order by deadline_at limit $1 for update skip locked`,
    values: [limit],
  });
  return handIn(
    tx,
    rows.map((row) => row.id),
  );
}

/** Hands in a quiz if its time is up. */
export async function handInIfOverdue(db: Database, quizId: string): Promise<void> {
  await handInAll(db, await listOverdue(db, 'id', quizId));
}

/** Hands in the overdue tests of an account, so that the next read includes their results. */
export async function handInOverdueOf(db: Database, accountId: string): Promise<void> {
  await handInAll(db, await listOverdue(db, 'account_id', accountId));
}

async function handInAll(db: Database, quizIds: string[]): Promise<void> {
  if (quizIds.length > 0) await withTransaction(db, (tx) => handIn(tx, quizIds));
}

async function listOverdue(
  db: Queryable,
  column: 'id' | 'account_id',
  value: string,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: `overdue-by-${column}`,
    text: `select id from quiz
           where ${column} = $1 and state = 'open' and ${PAST_GRACE}`,
    values: [value],
  });
  return rows.map((row) => row.id);
}
