import type { Queryable } from '#database/pool.ts';
import { readQuiz } from './read-quiz.ts';

/**
 * A quiz of this account, as it stands, and when its result was last corrected.
 *
 * @throws AppError `quiz_not_found`, also for the quiz of another account
 */
export async function readSession(db: Queryable, accountId: string, quizId: string) {
  const session = await readQuiz(db, accountId, quizId);
  if (session.state !== 'ended') return session;
  const { rows } = await db.query<{ regraded_at: Date | null }>({
    name: 'read-regraded-at',
    text: 'select regraded_at from quiz where id = $1',
    values: [quizId],
  });
  return { ...session, regraded_at: rows[0]?.regraded_at?.toISOString() ?? null };
}
