import {
  withTransaction,
  type Database,
  type Queryable,
  type Transaction,
} from '#database/pool.ts';
import { handIn } from './hand-in.ts';

/**
 * How long after the deadline of a practice test an answer is still taken, in seconds: for what was
 * on its way when the time was up. Nobody sees it; the test ends at its deadline all the same.
 */
export const GRACE_SECONDS = 10;

const DUE = `quiz.deadline_at <= now() - interval '${GRACE_SECONDS} seconds'`;

/** Whether a quiz, as long as it is open, takes answers; SQL over `quiz`. */
export const IN_TIME = `(${DUE}) is not true`;

/** Whether a test's time is up, so that it waits for somebody to hand it in; SQL over `quiz`. */
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

async function handInAll(db: Database, quizIds: string[]): Promise<void> {
  if (quizIds.length > 0) await withTransaction(db, (tx) => handIn(tx, quizIds));
}
