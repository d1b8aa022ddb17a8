import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { withTransaction, type Database, type Transaction } from '#database/pool.ts';
import { IS_USED, readBankQuestion, type BankQuestion } from './bank-question.ts';
import { lockQuestion, type LockedQuestion } from './lock-question.ts';
import { duplicateOf, isDuplicateText } from './question-duplicate.ts';

interface Wish {
  /** Its id or uuid. */
  question: number | string;
  actor: Actor;
}

const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Lets quizzes draw a question, or no more. May be repeated.
 *
 * @throws AppError `question_not_found`
 */
export async function validateQuestion(
  db: Database,
  { question, actor, validated }: Wish & { validated: boolean },
): Promise<BankQuestion> {
  return withTransaction(db, async (tx) => {
    const { id, validated: before } = await lockQuestion(tx, question);
    if (before !== validated) {
      await tx.query('update question set validated = $2 where id = $1', [id, validated]);
      const action = validated ? 'question.validated' : 'question.unvalidated';
      await recordAction(tx, { actor, action, subject: String(id) });
    }
    return readBankQuestion(tx, id);
  });
}

/**
 * Deletes a question that nobody met, and retires another: histories stay readable, and it can be
 * restored.
 *
 * @throws AppError `question_not_found`
 */
export async function deleteQuestion(db: Database, wish: Wish): Promise<{ retired: boolean }> {
  try {
    return await withTransaction(db, (tx) => deleteOrRetire(tx, wish));
  } catch (error) {
    // A quiz drew it at this moment: now it is used.
    if ((error as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error;
    return withTransaction(db, (tx) => deleteOrRetire(tx, wish));
  }
}

async function deleteOrRetire(tx: Transaction, { question, actor }: Wish) {
  const was = await lockQuestion(tx, question);
  const { rowCount } = await tx.query(`delete from question where id = $1 and not ${IS_USED}`, [
    was.id,
  ]);
  const retired = rowCount === 0;
  if (retired) await tx.query(RETIRE, [was.id]);
  if (!retired || !was.retired) await recordEnd(tx, was, actor, retired);
  return { retired };
}

const RETIRE = 'update question set retired_at = coalesce(retired_at, now()) where id = $1';

async function recordEnd(
  tx: Transaction,
  { id, question }: LockedQuestion,
  actor: Actor,
  retired: boolean,
): Promise<void> {
  const action = retired ? 'question.retired' : 'question.deleted';
  await recordAction(tx, { actor, action, subject: String(id), details: { question } });
}

/**
 * Brings a retired question back. May be repeated.
 *
 * @throws AppError `question_not_found`; `question_duplicate` when its text is in the bank again
 */
export async function restoreQuestion(
  db: Database,
  { question, actor }: Wish,
): Promise<BankQuestion> {
  let was: LockedQuestion | undefined;
  try {
    return await withTransaction(db, async (tx) => {
      was = await lockQuestion(tx, question);
      if (was.retired) {
        await tx.query('update question set retired_at = null where id = $1', [was.id]);
        await recordAction(tx, { actor, action: 'question.restored', subject: String(was.id) });
      }
      return readBankQuestion(tx, was.id);
    });
  } catch (error) {
    throw was && isDuplicateText(error) ? await duplicateOf(db, was) : error;
  }
}
