import type { Transaction } from '#database/pool.ts';

/** Adds one report to each question's statistics. Call it once for each report. */
export async function countReports(tx: Transaction, questionIds: number[]): Promise<void> {
  await tx.query(
    `insert into question_statistics (question_id, times_reported)
     select reported.question_id, count(*)
     from unnest($1::bigint[]) as reported (question_id)
     join question on question.id = reported.question_id
     group by reported.question_id order by reported.question_id
     on conflict (question_id) do update set
       times_reported = question_statistics.times_reported + excluded.times_reported`,
    [questionIds],
  );
}
