import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { isForeignKeyViolation, isUniqueViolation } from '#database/sql-state.ts';
import { ARCHIVE_COLUMNS, CONTENT_COLUMNS } from '#questions/bank-question.ts';
import { readImport } from './read-imports.ts';

const BATCH_SIZE = 2_000;
/**
 * Undoes an import. Deletes its questions that no learner has seen, and retires the others. Restores the
 * questions that it updated, except those that were edited since, or whose former text another question
 * has by now.
 *
 * @param signal stops it after the current batch
 * @throws the signal's reason
 */
export async function undoRows(
  db: Database,
  importId: string,
  signal?: AbortSignal,
): Promise<void> {
  let after = 0;
  for (;;) {
    signal?.throwIfAborted();
    const last = await deleteOrRetire(db, importId, after);
    if (last === null) break;
    after = last;
  }
  await restoreUpdated(db, importId);
}

/** Counts the questions of an import that were edited since, and whose edits undoing it would delete. */
export async function countEditedSince(db: Queryable, importId: string): Promise<number> {
  await readImport(db, importId);
  const { rows } = await db.query<{ edited: number }>(
    `select count(*)::int as edited from question
     where import_id = $1
       and id in (select question_id from question_version where import_id is distinct from $1)`,
    [importId],
  );
  return rows[0]!.edited;
}

/** Handles one batch. Returns its last id, or null when there are no more questions. */
async function deleteOrRetire(
  db: Database,
  importId: string,
  after: number,
): Promise<number | null> {
  for (;;) {
    try {
      return await withTransaction(db, (tx) => deleteOrRetireOnce(tx, importId, after));
    } catch (error) {
      // A quiz drew one of them at this moment: the next attempt finds it used.
      if (!isForeignKeyViolation(error)) throw error;
    }
  }
}

async function deleteOrRetireOnce(
  tx: Transaction,
  importId: string,
  after: number,
): Promise<number | null> {
  const { rows } = await tx.query<{ id: number }>(
    `select id from question where import_id = $1 and id > $2 order by id limit ${BATCH_SIZE}
     for no key update`,
    [importId, after],
  );
  const ids = rows.map((row) => row.id);
  const last = ids.at(-1);
  if (last === undefined) return null;
  // `skip locked`: a question that a quiz is drawing at this moment counts as used, so neither side waits.
  await tx.query(
    `delete from question where id in (
       select id from question where id = any ($1)
         and not exists (select from quiz_question where question_id = question.id)
         and not exists (select from feedback where question_id = question.id)
       order by id for update skip locked)`,
    [ids],
  );
  await tx.query(
    `update question set retired_at = coalesce(retired_at, now()), validated = false
     where id = any ($1)`,
    [ids],
  );
  return last;
}

const REMOVE_BATCH_SIZE = 5_000;

/** Removes the hidden rows of an import from the bank, in batches. */
export async function removeRows(db: Database, importId: string): Promise<void> {
  // An import that was cancelled near its end has applied some updates already.
  await restoreUpdated(db, importId);
  await db.query('delete from import_update where import_id = $1', [importId]);
  for (;;) {
    const { rowCount } = await db.query(
      `delete from question where id in (
         select id from question where import_id = $1 limit ${REMOVE_BATCH_SIZE})`,
      [importId],
    );
    if (!rowCount) return;
  }
}

/** Restores the questions that an import has updated, unless they were edited since. */
async function restoreUpdated(db: Database, importId: string): Promise<void> {
  while ((await restoreSome(db, importId)) > 0);
}

// Restores tags and group too, but keeps tags that were changed since.
const RESTORE = `
  with due as (
    select update.question_id, update.row->'replaced' as replaced,
           array(select jsonb_array_elements_text(
             case jsonb_typeof(update.row->'tags') when 'array' then update.row->'tags'
               else '[]' end)) as tags
    from import_update update
    where update.import_id = $1 and update.question_id = any ($2)
  ), present as (
    select question.*,
           case when due.replaced is not null and question.tags = due.tags
             then array(select jsonb_array_elements_text(due.replaced->'tags'))
             else question.tags end as former_tags,
           case when due.replaced is not null then due.replaced->>'group'
             else question.translation_group end as former_group
    from question
    join due on due.question_id = question.id
    join question_version old on old.question_id = question.id
      and old.version = question.version - 1 and old.import_id = $1
    order by question.id for no key update of question
  ), archived as (
    insert into question_version (question_id, ${ARCHIVE_COLUMNS}, replaced_by)
    select id, ${ARCHIVE_COLUMNS},
           (select coalesce(undone_by, imported_by) from question_import where id = $1)
    from present
  ), restored as (
    update question set (${CONTENT_COLUMNS}, version, tags, translation_group) = (
      select ${CONTENT_COLUMNS}, present.version + 1, former_tags, former_group
      from question_version old
      where old.question_id = present.id and old.version = present.version - 1)
    from present where question.id = present.id
  )
  delete from import_update where import_id = $1 and question_id = any ($2)`;

/** Returns the number of updates it handled. */
async function restoreSome(db: Database, importId: string): Promise<number> {
  const { rows } = await db.query<{ question_id: number }>(
    `select question_id from import_update where import_id = $1 and applied_at is not null
     order by question_id limit ${BATCH_SIZE}`,
    [importId],
  );
  const ids = rows.map((row) => row.question_id);
  try {
    await db.query(RESTORE, [importId, ids]);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    for (const id of ids) await restoreOne(db, importId, id);
  }
  return ids.length;
}

/** Restores one question; leaves it as it is when another question has its former text by now. */
async function restoreOne(db: Database, importId: string, id: number): Promise<void> {
  try {
    await db.query(RESTORE, [importId, [id]]);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await db.query('delete from import_update where import_id = $1 and question_id = $2', [
      importId,
      id,
    ]);
  }
}
