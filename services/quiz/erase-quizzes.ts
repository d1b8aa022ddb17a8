import type { Transaction } from '#database/pool.ts';

/** A practice test has 38 questions, each of which is a row, and its answer another. */
const AT_A_TIME = 500;

/**
 * Removes a part of an account's quizzes with their questions, answers and reports: each part ends
 * long before a statement may last no longer, whatever an account has. What the answers have taught
 * about the questions stays, and so does how often a question was reported.
 *
 * @returns whether there may be more
 */
export async function eraseQuizzes(tx: Transaction, accountId: string): Promise<boolean> {
  // In the order of the ids, as everybody who locks several.
  const { rowCount } = await tx.query(
    `delete from quiz where id = any (array(
       select id from quiz where account_id = $1 order by id limit $2 for update))`,
    [accountId, AT_A_TIME],
  );
  return rowCount === AT_A_TIME;
}
