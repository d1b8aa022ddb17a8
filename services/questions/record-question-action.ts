import { type Action, recordAction } from '#audit/record-action.ts';
import type { Transaction } from '#database/pool.ts';
import { notifyLive } from '#live/live.ts';

/**
 * Keeps in the audit log what an administrator does to questions, and makes the screens of the others read them again.
 *
 * @throws AppError `account_disabled`; `admin_only` when the role was taken away
 */
export async function recordQuestionAction<Details extends object = object>(
  tx: Transaction,
  action: Action<Details>,
): Promise<void> {
  await recordAction(tx, action);
  await notifyLive(tx, [{ topic: 'questions' }]);
}
