import { type Actor, nameOf } from '#audit/actor.ts';
import { type AuditAction, recordAction } from '#audit/record-action.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import type { Refusal } from './file-rows.ts';

/**
 * The states in which the file of an import is read. One that was paused a moment ago is still read, because its sender
 * is usually back within seconds.
 */
export const READING = ['receiving', 'processing', 'paused'] as const;

/** Another caller has ended the import, so work in progress must stop. */
export class ImportEnded extends Error {
  override readonly name = 'ImportEnded';
}

/** Refuses an import whose file cannot be read to its end. Its rows are removed in the background. */
export async function refuseImport(
  db: Database,
  importId: string,
  refusal: Refusal,
): Promise<void> {
  await withTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `update question_import set state = 'refused', refusal = $2, ended_at = clock_timestamp()
       where id = $1 and state = any ($3)`,
      [importId, refusal, READING],
    );
    if (rowCount) await emit(tx, 'import.changed', { import_id: importId });
  });
}

/**
 * What an administrator may do to an import: the states it is allowed in, and the state it leads to.
 *
 * - `cancel`: stop reading, also of a paused upload, and remove all rows of the import
 * - `confirm`: turn a dry run into an import, without sending the file again
 * - `discard`: throw a dry run away
 * - `undo`: revert a completed import: questions that no quiz has used are deleted, the others
 *   retired, and updated ones restored
 */
const STEPS = {
  cancel: { from: READING, to: 'cancelled', audit: 'import.cancelled' },
  confirm: { from: ['checked'], to: 'processing', audit: 'import.confirmed' },
  discard: { from: ['checked'], to: 'discarded', audit: 'import.discarded' },
  undo: { from: ['completed'], to: 'undoing', audit: 'import.undone' },
} as const satisfies Record<string, { from: readonly string[]; to: string; audit: AuditAction }>;

export type ImportStep = keyof typeof STEPS;

export const IMPORT_STEPS = Object.keys(STEPS) as ImportStep[];

/**
 * Changes the state of an import; a worker does the rest.
 *
 * @throws AppError `import_not_found`, or `import_state` when the state does not allow the step
 */
export async function stepImport(
  db: Database,
  importId: string,
  step: ImportStep,
  actor: Actor,
): Promise<void> {
  const { from, to, audit } = STEPS[step];
  await withTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `update question_import set state = $2,
         ended_at = case when $2 in ('cancelled', 'discarded') then clock_timestamp()
           when $2 = 'processing' then null else ended_at end,
         dry_run = dry_run and $2 <> 'processing',
         undone_by = case when $2 = 'undoing' then $4 else undone_by end
       where id = $1 and state = any ($3)`,
      [importId, to, from, nameOf(actor)],
    );
    if (!rowCount) throw await stepError(tx, importId);
    await emit(tx, 'import.changed', { import_id: importId });
    await recordAction(tx, { actor, action: audit, subject: importId });
  });
}

async function stepError(tx: Transaction, importId: string): Promise<AppError> {
  const { rows } = await tx.query<{ state: string }>(
    'select state from question_import where id = $1',
    [importId],
  );
  const [row] = rows;
  if (!row) return new AppError('import_not_found');
  return new AppError('import_state', { details: { state: row.state } });
}
