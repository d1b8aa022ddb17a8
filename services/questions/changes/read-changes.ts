import type { Queryable, Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { toChange, type Change, type ChangeRow } from './change.ts';

const MOST = 20;

/** The latest changes, the newest first. */
export async function listChanges(db: Queryable): Promise<Change[]> {
  const { rows } = await db.query<ChangeRow>(
    `select * from question_change order by created_at desc limit ${MOST}`,
  );
  return rows.map(toChange);
}

/** @throws AppError `change_not_found` */
export async function readChange(db: Queryable, id: string): Promise<Change> {
  const { rows } = await db.query<ChangeRow>('select * from question_change where id = $1', [id]);
  if (!rows[0]) throw new AppError('change_not_found');
  return toChange(rows[0]);
}

/**
 * A change that nobody else moves on until the transaction ends.
 *
 * @throws AppError `change_not_found`
 */
export async function lockChange(tx: Transaction, id: string): Promise<ChangeRow> {
  const { rows } = await tx.query<ChangeRow>(
    'select * from question_change where id = $1 for update',
    [id],
  );
  if (!rows[0]) throw new AppError('change_not_found');
  return rows[0];
}
