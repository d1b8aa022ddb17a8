import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { ARCHIVE_COLUMNS, CONTENT_COLUMNS } from '#questions/bank-question.ts';
import { isTaken } from './apply-updates.ts';

const BATCH = 2_000;
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Takes back what an import brought: questions that nobody met are deleted, others retired, and those
 * that it updated are again as they were, unless somebody has edited them since, or has given their
 * former text to another question.
 */
export async function undoRows(db: Database, importId: string): Promise<void> {
  let after = 0;
  for (;;) {
    const last = await takeBack(db, importId, after);
    if (last === null) break;
    after = last;
  }
  await restoreUpdated(db, importId);
}

/** Returns the last id that it looked at, or null when there are no more. */
async function takeBack(db: Database, importId: string, after: number): Promise<number | null> {
  for (;;) {
    try {
      return await withTransaction(db, (tx) => takeBackOnce(tx, importId, after));
    } catch (error) {
      // A quiz drew one of them at this moment: the next look finds it used.
      if ((error as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error;
    }
  }
}

async function takeBackOnce(
  tx: Transaction,
  importId: string,
  after: number,
): Promise<number | null> {
  const { rows } = await tx.query<{ id: number }>(
    `select id from question where import_id = $1 and id > $2 order by id limit ${BATCH}
     for no key update`,
    [importId, after],
  );
  const ids = rows.map((row) => row.id);
  const last = ids.at(-1);
  if (last === undefined) return null;
  // One that a quiz is drawing at this moment counts as used: nobody waits for the other.
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

const MAX_REMOVED_AT_ONCE = 5_000;

/** Removes what an import put into the bank and nobody has seen, some thousand rows at a time. */
export async function removeRows(db: Database, importId: string): Promise<void> {
  // One that was cancelled at its end has updated some already.
  await restoreUpdated(db, importId);
  await db.query('delete from import_update where import_id = $1', [importId]);
  for (;;) {
    const { rowCount } = await db.query(
      `delete from question where id in (
         select id from question where import_id = $1 limit ${MAX_REMOVED_AT_ONCE})`,
      [importId],
    );
    if (!rowCount) return;
  }
}

/** Makes the questions that an import has updated what they were, unless edited since. */
async function restoreUpdated(db: Database, importId: string): Promise<void> {
  while ((await restoreSome(db, importId)) > 0);
}

// Tags and group come back with it; tags that somebody has changed since stay.
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

/** Returns how many updates it dealt with. */
async function restoreSome(db: Database, importId: string): Promise<number> {
  const { rows } = await db.query<{ question_id: number }>(
    `select question_id from import_update where import_id = $1 and applied_at is not null
     order by question_id limit ${BATCH}`,
    [importId],
  );
  const ids = rows.map((row) => row.question_id);
  try {
    await db.query(RESTORE, [importId, ids]);
  } catch (error) {
    if (!isTaken(error)) throw error;
    for (const id of ids) await restoreOne(db, importId, id);
  }
  return ids.length;
}

/** One whose former text is another question by now stays as it is. */
async function restoreOne(db: Database, importId: string, id: number): Promise<void> {
  try {
    await db.query(RESTORE, [importId, [id]]);
  } catch (error) {
    if (!isTaken(error)) throw error;
    await db.query('delete from import_update where import_id = $1 and question_id = $2', [
      importId,
      id,
    ]);
  }
}
