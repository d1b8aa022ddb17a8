import type { Database } from '#database/pool.ts';

/** A practice test has 38 questions, each of which is a row, and its answer another. */
const AT_A_TIME = 500;

/**
 * Removes an account's quizzes with their questions and answers, a part at a time: each ends long
 * before a statement may last no longer, whatever an account has. What the answers have taught about
 * the questions stays.
 */
export async function eraseQuizzes(db: Database, accountId: string): Promise<void> {
  let erased: number | null;
  do {
    ({ rowCount: erased } = await db.query(
      `delete from quiz where id = any (array(
         select id from quiz where account_id = $1 limit $2))`,
      [accountId, AT_A_TIME],
    ));
  } while (erased === AT_A_TIME);
}
