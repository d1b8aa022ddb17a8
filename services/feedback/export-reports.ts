import type { Queryable } from '#database/pool.ts';

interface Row {
  question: string;
  uuid: string;
  quiz_id: string;
  reason: string | null;
  comment: string | null;
  state: 'open' | 'fixed' | 'dismissed';
  created_at: Date;
  closed_at: Date | null;
}

/** What an account has reported about questions, the newest first. */
export async function exportReports(db: Queryable, accountId: string) {
  const { rows } = await db.query<Row>(
    `select question.question, question.uuid, quiz_id, reason, comment, state, feedback.created_at,
       closed_at
     from feedback join question on question.id = question_id
     where account_id = $1 order by feedback.created_at desc`,
    [accountId],
  );
  return rows.map(({ created_at, closed_at, ...report }) => ({
    ...report,
    reported_at: created_at.toISOString(),
    closed_at: closed_at?.toISOString() ?? null,
  }));
}
