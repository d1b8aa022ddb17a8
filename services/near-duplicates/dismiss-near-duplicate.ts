import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { withTransaction, type Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';

export interface Dismissal {
  importId: string;
  /** The id of the question that the import brought. */
  question: number;
  /** False takes it back: the pair is listed again. */
  dismissed: boolean;
  actor: Actor;
}

/**
 * Notes that a question and the one like it are different after all: both stay. May be repeated.
 *
 * @throws AppError `question_not_found` when it is in no pair of the import
 */
export async function dismissNearDuplicate(
  db: Database,
  { importId, question, dismissed, actor }: Dismissal,
): Promise<void> {
  await withTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ similar_id: number; was: boolean }>(
      `select similar_id, dismissed_at is not null as was from near_duplicate
       where import_id = $1 and question_id = $2 for update`,
      [importId, question],
    );
    const [pair] = rows;
    if (!pair) throw new AppError('question_not_found');
    if (pair.was === dismissed) return;
    await tx.query(
      `update near_duplicate set dismissed_at = case when $2 then clock_timestamp() end
       where question_id = $1`,
      [question, dismissed],
    );
    await recordAction(tx, {
      actor,
      action: dismissed ? 'question.near_duplicate_dismissed' : 'question.near_duplicate_reopened',
      subject: String(question),
      details: { similar_id: pair.similar_id },
    });
  });
}
