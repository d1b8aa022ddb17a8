import { type Actor, nameOf } from '#audit/actor.ts';
import { type AuditAction, recordAction } from '#audit/record-action.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import type { Refusal } from './file-rows.ts';

/** The states in which the file of an import is read. */
export const READING = ['receiving', 'processing'] as const;

/** The import was ended by somebody else: what is under way has to stop. */
export class ImportEnded extends Error {
  override readonly name = 'ImportEnded';
}

/** Says that an import has moved on, in the transaction that moved it. */
export type Announce = (tx: Transaction) => Promise<void>;

/** Ends the reading of a file that cannot be read on. Its rows are removed in the background. */
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
 * What an administrator may do to an import: from which states, and to which one it brings it.
 *
 * - `cancel`: stop reading; nothing of it stays
 * - `confirm`: a dry run becomes an import, without sending the file again
 * - `discard`: a dry run is thrown away
 * - `undo`: what a completed import brought is taken back: questions that no quiz has used are
 *   deleted, the others retired, and updated ones are as they were
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
 * Takes a step; a worker does the rest.
 *
 * @throws AppError `import_not_found`, or `import_state` when it is not in a state for this
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
    if (!rowCount) throw await whyNot(tx, importId);
    await emit(tx, 'import.changed', { import_id: importId });
    await recordAction(tx, { actor, action: audit, subject: importId });
  });
}

async function whyNot(tx: Transaction, importId: string): Promise<AppError> {
  const { rows } = await tx.query<{ state: string }>(
    'select state from question_import where id = $1',
    [importId],
  );
  const [found] = rows;
  if (!found) return new AppError('import_not_found');
  return new AppError('import_state', { details: { state: found.state } });
}
