import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import { regradeUntold } from './regrade.ts';
import { CORRECTED_VERSION, IS_RIGHT_NOW } from './shown-question.ts';

/**
 * Ends those of the quizzes that are still open, settles their scores and tells of them. Unanswered
 * questions count as wrong; the answers of a practice test become final here, and are told of now.
 * A test whose time is up ended at its deadline, whoever hands it in and when.
 *
 * Whoever comes second waits for the first, and finds nothing open.
 *
 * @returns how many it ended
 */
export async function handIn(tx: Transaction, quizIds: string[]): Promise<number> {
  // Waits for answers on their way (they hold a share lock), so that the score has them all. In the
  // order of the ids, as everybody who locks several.
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
  if (tests.length > 0) await regradeUntold(tx, tests);
  await settleScores(tx, ended);
  if (tests.length > 0) await emitAnswers(tx, tests);
  await emitEnds(tx, ended);
  return rows.length;
}

async function settleScores(tx: Transaction, quizIds: string[]): Promise<void> {
  // An answer that was stored while a key was corrected counts here as it will be graded.
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

// One statement for many, where `emit` would be a call for each. Payloads: see the catalogue.
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

/**
 * How long after the deadline of a practice test an answer is still taken, in seconds: for what was
 * on its way when the time was up. Nobody sees it; the test ends at its deadline all the same.
 */
export const GRACE_SECONDS = 10;

const DUE = `quiz.deadline_at <= now() - interval '${GRACE_SECONDS} seconds'`;

/** Whether a quiz, as long as it is open, takes answers; SQL over `quiz`. */
export const IN_TIME = `(${DUE}) is not true`;
/** Whether a test's time is up, so that it waits to be handed in; SQL over `quiz`. */
export const IS_OVERDUE = `(quiz.state = 'open' and (${DUE}) is true)`;

/**
 * Hands in practice tests whose time is up, at most so many, and passes over those that somebody else
 * is just handing in.
 *
 * @returns how many
 */
export async function handInOverdue(tx: Transaction, atMost: number): Promise<number> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'overdue-tests',
    text: `select id from quiz
           where state = 'open' and ${DUE}
           order by deadline_at limit $1 for update skip locked`,
    values: [atMost],
  });
  return handIn(
    tx,
    rows.map((row) => row.id),
  );
}

/** Hands in one quiz if its time is up. */
export async function handInIfOverdue(db: Database, quizId: string): Promise<void> {
  await handInAll(db, await overdueOf(db, 'id', quizId));
}

/** Hands in the tests of an account whose time is up: what is read next has their results. */
export async function handInOverdueOf(db: Database, accountId: string): Promise<void> {
  await handInAll(db, await overdueOf(db, 'account_id', accountId));
}

async function handInAll(db: Database, quizIds: string[]): Promise<void> {
  if (quizIds.length > 0) await withTransaction(db, (tx) => handIn(tx, quizIds));
}

async function overdueOf(
  db: Queryable,
  column: 'id' | 'account_id',
  value: string,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: `overdue-by-${column}`,
    text: `select id from quiz
           where ${column} = $1 and state = 'open' and ${DUE}`,
    values: [value],
  });
  return rows.map((row) => row.id);
}
