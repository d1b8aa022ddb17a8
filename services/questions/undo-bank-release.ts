import type { Actor } from '#audit/actor.ts';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { ARCHIVE_COLUMNS, CONTENT_COLUMNS } from './bank-question.ts';
import { BANK, lockBank } from './bank-release.ts';
import { recordQuestionAction } from './record-question-action.ts';

// Unless someone has edited the question since, or another one has the text by now.
const RESTORE = `
  with present as (
    select question.*, change.version as former_version, change.tags as former_tags
    from bank_release_change change
    join question on question.id = change.question_id
    join question_version old on old.question_id = question.id and old.version = change.version
    where change.release_id = $1 and change.action = 'updated'
      and not exists (
        select from question_version since
        where since.question_id = question.id and since.version > change.version
          and since.replaced_by <> '${BANK}')
      and not exists (
        select from question other
        where other.id <> question.id and other.language = old.language
          and other.text_key = question_text_key(old.question) and other.retired_at is null)
    order by question.id for no key update of question
  ), archived as (
    insert into question_version (question_id, ${ARCHIVE_COLUMNS}, replaced_by)
    select id, ${ARCHIVE_COLUMNS}, '${BANK}' from present
  )
  update question set (${CONTENT_COLUMNS}, tags, version) = (
    select ${CONTENT_COLUMNS}, present.former_tags, present.version + 1
    from question_version old
    where old.question_id = question.id and old.version = present.former_version)
  from present where question.id = present.id`;

const UNRETIRE = `
  update question set retired_at = null
  from bank_release_change change
  where change.release_id = $1 and change.action = 'retired' and question.id = change.question_id
    and not exists (
      select from question other
      where other.id <> question.id and other.language = question.language
        and other.text_key = question.text_key and other.retired_at is null)`;

/**
 * Undoes what a release did to questions that were there, unless they were changed since. The caller undoes its
 * import. A release that is undone already stays so.
 *
 * @returns the import of its new questions, and the number of restored questions
 */
export async function revertUpdates(
  db: Database,
  id: string,
  actor: Actor = BANK,
): Promise<{ importId: string | null; restored: number }> {
  return withTransaction(db, async (tx) => {
    await lockBank(tx);
    const { rows } = await tx.query<{ id: string; import_id: string | null }>(
      `update bank_release set undone_at = now() where id = $1 and undone_at is null
       returning id, import_id`,
      [id],
    );
    const [release] = rows;
    if (!release) return { importId: await readImportOf(tx, id), restored: 0 };
    const { rowCount: restored } = await tx.query(RESTORE, [release.id]);
    const { rowCount: unretired } = await tx.query(UNRETIRE, [release.id]);
    // Their questions are gone with the import, and a later release may bring them again.
    await tx.query(
      `delete from bank_question using question
       where question.id = question_id and question.import_id = $1`,
      [release.import_id],
    );
    const details = { restored: (restored ?? 0) + (unretired ?? 0) };
    await recordQuestionAction(tx, { actor, action: 'bank.undone', subject: release.id, details });
    return { importId: release.import_id, ...details };
  });
}

async function readImportOf(tx: Transaction, release: string): Promise<string | null> {
  const { rows } = await tx.query<{ import_id: string | null }>(
    'select import_id from bank_release where id = $1',
    [release],
  );
  return rows[0]?.import_id ?? null;
}
