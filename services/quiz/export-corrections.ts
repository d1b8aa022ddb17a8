import type { Queryable } from '#database/pool.ts';

/** The results of an account that a corrected key has changed, the newest first. */
export async function exportCorrections(db: Queryable, accountId: string) {
  const { rows } = await db.query<{
    quiz_id: string;
    requested_at: Date;
    score_before: number;
    score_after: number;
  }>(
    `select quiz.id as quiz_id, requested_at, score_before, score_after
     from quiz join regraded_quiz on quiz_id = quiz.id join regrade on regrade.id = regrade_id
     where account_id = $1 order by requested_at desc`,
    [accountId],
  );
  return rows.map(({ quiz_id, requested_at, score_before, score_after }) => ({
    quiz_id,
    corrected_at: requested_at.toISOString(),
    right_answers_before: score_before,
    right_answers_after: score_after,
  }));
}
