import type { Queryable, Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { refuse, secondsLeft, waitForOwnCalls, type Limits } from '#limits/limits.ts';
import type { QuizKind } from './quiz.ts';
import type { OpenQuiz } from './quiz-history.ts';

/** Which quiz an account wants to start, and how many it may. */
export interface WantedQuiz {
  accountId: string;
  kind: QuizKind;
  limits: Pick<Limits, 'quizzes' | 'openDrills'>;
}

/**
 * Refuses a quiz too many: within the hour, or beside open drills that all have answers. A practice
 * test counts for the hour only.
 *
 * @returns the oldest open drills without an answer, as many as must go to make room for this one
 * @throws AppError `rate_limited` with `retry_after_s`, `too_many_open` with `quizzes`: the open
 *   drills, the newest first
 */
export async function refuseTooMany(
  db: Queryable,
  { accountId, kind, limits }: WantedQuiz,
): Promise<string[]> {
  const { rows } = await db.query<{ seconds: number }>({
    name: 'limit-quizzes',
    text: `select ${secondsLeft('quiz', 'started_at', 'account_id = $1', 2)} as seconds`,
    values: [accountId, limits.quizzes],
  });
  refuse(rows[0]!.seconds);
  if (kind === 'practice_test') return [];
  const drills = await openDrills(db, accountId);
  const tooMany = drills.length + 1 - limits.openDrills;
  if (tooMany <= 0) return [];
  const empty = drills.filter(({ answered }) => answered === 0);
  if (empty.length < tooMany) throw new AppError('too_many_open', { details: { quizzes: drills } });
  return empty.slice(-tooMany).map(({ id }) => id);
}

/**
 * Makes room for a quiz that the same transaction inserts: cancels the oldest open drills without an
 * answer. Starts of one account go one after the other, so no two of them take the same room.
 *
 * @throws AppError as `refuseTooMany`
 */
export async function makeRoom(tx: Transaction, wanted: WantedQuiz): Promise<void> {
  await waitForOwnCalls(tx, wanted.accountId);
  for (;;) {
    const surplus = await refuseTooMany(tx, wanted);
    if (surplus.length === 0) return;
    // Waits for answers on their way (they hold a share lock). In the order of the ids, as for every
    // lock on several quizzes.
    await tx.query(`select from quiz where id = any ($1::uuid[]) order by id for update`, [
      surplus,
    ]);
    const { rowCount } = await tx.query(
      `update quiz set state = 'cancelled', ended_at = now()
       where id = any ($1::uuid[]) and state = 'open'
         and not exists (select from quiz_answer where quiz_id = quiz.id)`,
      [surplus],
    );
    if (rowCount === surplus.length) return;
    // One was answered or ended meanwhile: that one is not in the list any more.
  }
}

/** The open drills of an account, the newest first. */
async function openDrills(db: Queryable, accountId: string) {
  const { rows } = await db.query<OpenQuiz>({
    name: 'open-drills',
    text: `select id, topic, started_at,
             (select count(*)::int from quiz_answer where quiz_id = quiz.id) as answered,
             (select count(*)::int from quiz_question where quiz_id = quiz.id) as questions,
             null as seconds_left
           from quiz where account_id = $1 and state = 'open' and kind = 'drill'
           order by started_at desc`,
    values: [accountId],
  });
  return rows.map((quiz) => ({ ...quiz, started_at: quiz.started_at.toISOString() }));
}
