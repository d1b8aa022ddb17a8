import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { isUniqueViolation } from '#database/sql-state.ts';
import { ARCHIVE_COLUMNS } from '#questions/bank-question.ts';
import { ImportEnded } from './end-import.ts';

const BATCH_SIZE = 1_000;

// Archives the replaced content as a version, so that finished quizzes keep what they showed and the
// import can be undone. Tags and group are not part of a version, so they are kept in `import_update`.
// `for no key update` does not block a quiz that draws these questions.
const APPLY = `
  with present as (
    select question.*, given.language as new_language, given.topic as new_topic,
           given.question as new_question, given.answer as new_answer,
           given.incorrect as new_incorrect, given.explanation as new_explanation,
           given.incorrect_reasons as new_incorrect_reasons,
           given.source_url as new_source_url, given.source_title as new_source_title,
           given.checked_at as new_checked_at, given.valid_from as new_valid_from,
           given.ages as new_ages, coalesce(given.excludes, '{}') as new_excludes,
           given."group" as new_group, coalesce(given.tags, '{}') as new_tags,
           given.image_hash as new_image_hash, given.image_alt as new_image_alt,
           given.areas as new_areas
    from import_update due
    join question on question.id = due.question_id and question.retired_at is null
    cross join lateral jsonb_to_record(due.row) as given (
      language text, topic text, question text, answer text, incorrect text[], explanation text,
      incorrect_reasons text[], source_url text, source_title text, checked_at date,
      valid_from date, ages smallint, "group" text, excludes text[], tags text[],
      image_hash text, image_alt text, areas jsonb)
    where due.import_id = $1 and due.question_id = any ($2)
    order by question.id for no key update of question
  ), archived as (
    insert into question_version (question_id, ${ARCHIVE_COLUMNS}, replaced_by, import_id)
    select id, ${ARCHIVE_COLUMNS},
           (select imported_by from question_import where id = $1), $1
    from present
  ), noted as (
    update import_update set row = import_update.row || jsonb_build_object(
      'replaced', jsonb_build_object('tags', present.tags, 'group', present.translation_group))
    from present where import_update.import_id = $1 and import_update.question_id = present.id
  )
  update question set
    language = new_language, topic = new_topic, question = new_question, answer = new_answer,
    incorrect = new_incorrect, explanation = new_explanation, source_url = new_source_url,
    incorrect_reasons = new_incorrect_reasons, source_title = new_source_title,
    checked_at = new_checked_at, valid_from = new_valid_from, ages = new_ages,
    translation_group = new_group, excludes = new_excludes, tags = new_tags,
    image_hash = new_image_hash, image_alt = new_image_alt, areas = new_areas,
    version = question.version + 1
  from present where question.id = present.id`;

const MAKE_DUPLICATE = `
  update import_batch
  set updated = updated - 1, duplicates = duplicates + 1,
      report = (
        select jsonb_agg(
          case when reported.entry @> due.entry then reported.entry || '{"outcome": "duplicate"}' else reported.entry end
          order by position)
        from jsonb_array_elements(report) with ordinality as reported (entry, position))
  from (select jsonb_build_object('outcome', 'updated', 'question_id', $2::bigint) as entry) due
  where import_id = $1 and report @> jsonb_build_array(due.entry)`;

/**
 * Applies the updates that an import noted, once all of its file has been read.
 *
 * @throws ImportEnded when the import is cancelled meanwhile
 */
export async function applyUpdates(db: Database, importId: string): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ question_id: number }>(
      `select question_id from import_update where import_id = $1 and applied_at is null
       order by question_id limit ${BATCH_SIZE}`,
      [importId],
    );
    if (rows.length === 0) return;
    const ids = rows.map((row) => row.question_id);
    try {
      await withTransaction(db, (tx) => apply(tx, importId, ids));
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      for (const id of ids) await applyOne(db, importId, id);
    }
  }
}

/** Applies one update; counts it as a duplicate when another question has taken the text meanwhile. */
async function applyOne(db: Database, importId: string, id: number): Promise<void> {
  try {
    await withTransaction(db, (tx) => apply(tx, importId, [id]));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await withTransaction(db, async (tx) => {
      const { rowCount } = await tx.query(
        'delete from import_update where import_id = $1 and question_id = $2',
        [importId, id],
      );
      await tx.query(MAKE_DUPLICATE, [importId, id]);
      await tx.query(
        `update question_import set updated = updated - $2, duplicates = duplicates + $2
         where id = $1`,
        [importId, rowCount],
      );
    });
  }
}

async function apply(tx: Transaction, importId: string, ids: number[]): Promise<void> {
  const { rowCount: isProcessing } = await tx.query(
    `select from question_import where id = $1 and state = 'processing' for share`,
    [importId],
  );
  if (!isProcessing) throw new ImportEnded();
  await applyNoted(tx, importId, ids);
}

/** Applies updates of an import whose row the transaction has locked. */
export async function applyNoted(tx: Transaction, importId: string, ids: number[]): Promise<void> {
  await tx.query(APPLY, [importId, ids]);
  await tx.query(
    `update import_update set applied_at = clock_timestamp()
     where import_id = $1 and question_id = any ($2)`,
    [importId, ids],
  );
}
