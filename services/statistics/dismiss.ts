import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { withTransaction, type Database } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { IS_VISIBLE } from '#questions/question-filter.ts';
import type { QualityReason } from './review-queue.ts';

/**
 * Notes that somebody has looked at a question and found it right: it leaves the review queue for
 * this reason until its figures say something new, or a year has passed. Doing it again starts anew.
 *
 * @param question its id or uuid
 * @throws AppError `question_not_found`
 */
export async function dismissQuality(
  db: Database,
  question: number | string,
  reason: QualityReason,
  actor: Actor,
): Promise<void> {
  const column = typeof question === 'number' ? 'id' : 'uuid';
  await withTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ question_id: number; answers: number }>(
      `insert into quality_dismissal (question_id, reason, version, answers)
       select question.id, $2, question.version, coalesce(quality.answers, 0)
       from question
       left join question_quality quality
         on quality.question_id = question.id and quality.version = question.version
       where question.${column} = $1 and ${IS_VISIBLE}
       on conflict (question_id, reason) do update set
         version = excluded.version, answers = excluded.answers, dismissed_at = clock_timestamp()
       returning question_id, answers`,
      [question, reason],
    );
    const dismissal = rows[0];
    if (!dismissal) throw new AppError('question_not_found');
    await recordAction(tx, {
      actor,
      action: 'question.quality_dismissed',
      subject: String(dismissal.question_id),
      details: { reason, answers: dismissal.answers },
    });
  });
}
