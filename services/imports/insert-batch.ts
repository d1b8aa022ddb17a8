import type { QuestionRow } from '@proveklar/contract/question-row.ts';
import type { Transaction } from '#database/pool.ts';
import { storeImages } from '#images/images.ts';
import type { StoredImage } from '#images/read-image.ts';
import { addToImport, type Inserted, storeOutcome } from './batch-outcome.ts';
import { type Batch, lineOf, lineOrNull, ROWS, toRows } from './batch-rows.ts';
import { type BatchRow, copyRows } from './copy-rows.ts';
import { idsOf, keepFirstRows, type LeftOut, readFirstRows, reserveIds } from './repeated-rows.ts';

export interface ImportTarget {
  id: string;
  on_duplicate: 'skip' | 'update';
}

/** SQL: inserts the rows of a batch ($1) as questions of an import ($2); leaves out those that the bank has. */
export const INSERT = `
  insert into question
    (id, language, topic, question, answer, incorrect, incorrect_reasons, explanation, source_url,
     source_title, checked_at, valid_from, ages, translation_group, excludes, tags, image_hash,
     image_alt, areas, uuid, import_id)
  overriding system value
  select id, language, topic, question, answer, incorrect, incorrect_reasons, explanation, source_url,
         source_title, checked_at, valid_from, ages, "group", coalesce(excludes, '{}'),
         coalesce(tags, '{}'), image_hash, image_alt, areas, coalesce(uuid, gen_random_uuid()), $2
  from ${ROWS}
  -- The same text in the same language; also a uuid that the bank has: an export that comes back.
  on conflict do nothing`;

const options = (list: string) =>
  `(select array_agg(casefold(btrim(text)) order by casefold(btrim(text))) from unnest(${list}) as text)`;

/**
 * SQL: the rows of a batch ($1) that an import ($2) did not insert, and the question that the bank has instead: by its
 * uuid, else by its text. Each question is looked up by an index, row by row, in a form that the planner cannot turn
 * into a join: statistics that were taken while a batch was being inserted say that the bank is empty, and a plan by
 * them would compare each row with all questions.
 */
export const LEFT_OUT = `
  with given as materialized (
    select given.*, question_text_key(question) as text_key
    from ${ROWS} where (select own.id from question own where own.id = given.id) is null)
  select given.row, present.id as question_id, present.import_id is not distinct from $2 as is_repeated,
         same_text.is_same as is_same_text,
         case when not same_text.is_same then null
           when casefold(btrim(present.answer)) <> casefold(btrim(given.answer)) then 'answer'
           when ${options('present.incorrect')} is distinct from ${options('given.incorrect')}
             then 'options' end as differs
  from given
  left join lateral (select id from question where uuid = given.uuid limit 1) by_uuid on true
  left join lateral (
    select id, text_key from question
    where language = given.language and text_key >= given.text_key and retired_at is null
    order by language, text_key limit 1) nearest on nearest.text_key = given.text_key
  left join lateral (
    select * from question where id = coalesce(by_uuid.id, nearest.id) limit 1) present on true
  cross join lateral (
    select coalesce(present.language = given.language and present.text_key = given.text_key, false)
      as is_same) same_text
  order by given.row`;

// SQL: notes updates of questions that existed before this import and differ from their row. Leaves out an
// update that would give a question the text of another one. The first row of the file counts, also when a later
// batch was faster.
export const NOTE_UPDATES = `
  insert into import_update (import_id, question_id, row)
  select distinct on (present.id) $2, present.id, to_jsonb(given) - 'id' - 'uuid'
  from ${ROWS}
  join unnest($3::integer[], $4::bigint[]) as left_out (row, question_id)
    on left_out.row = given.row
  cross join lateral (select * from question where id = left_out.question_id limit 1) present
  where present.import_id is distinct from $2 and present.retired_at is null
    and (present.language, present.topic, present.question, present.answer, present.incorrect,
         present.incorrect_reasons, present.explanation, present.source_url, present.source_title,
         present.checked_at, present.valid_from, present.ages, present.translation_group,
         present.excludes, present.tags, present.image_hash, present.image_alt, present.areas)
      is distinct from
        (given.language, given.topic, given.question, given.answer, given.incorrect,
         given.incorrect_reasons, given.explanation, given.source_url, given.source_title,
         given.checked_at, given.valid_from, given.ages, given."group",
         coalesce(given.excludes, '{}'), coalesce(given.tags, '{}'), given.image_hash,
         given.image_alt, given.areas)
    and (
      select other.id from question other
      where other.language = given.language and other.retired_at is null
        and other.text_key = question_text_key(given.question) and other.id <> present.id
      limit 1) is null
  order by present.id, given.row
  on conflict (import_id, question_id) do update set row = excluded.row
    where import_update.applied_at is null
      and (import_update.row->>'row')::integer > (excluded.row->>'row')::integer
  returning new.question_id, (old.row->>'row')::integer as later_row`;

/**
 * Inserts a batch into the question bank, hidden, and records it in `import_batch`. Both happen exactly
 * once, in one transaction.
 *
 * @param isNew whether its rows are expected to be new to the bank: then they are copied, which is faster
 * @returns whether all were
 * @throws ImportEnded when the import is no longer being read
 */
export async function insertBatch(
  tx: Transaction,
  target: ImportTarget,
  batch: Batch,
  { isNew = true } = {},
): Promise<boolean> {
  // `import_batch` first: of two workers with the same batch, the second finds its row there.
  const { rowCount: isFirst } = await tx.query(
    `insert into import_batch
       (import_id, number, rows, end_byte, end_line, imported, updated, duplicates, rejected)
     values ($1, $2, $3, $4, $6, 0, 0, 0, $5) on conflict do nothing`,
    [
      target.id,
      batch.number,
      batch.size,
      batch.endByte,
      batch.bad.length,
      lineOrNull(batch.endLine),
    ],
  );
  if (!isFirst) return isNew;
  const done = await insertRows(tx, target, batch, isNew);
  const noted = await storeOutcome(tx, target.id, batch, done);
  await addToImport(tx, target.id, batch, { ...done, ...noted });
  return done.allNew;
}

async function insertRows(
  tx: Transaction,
  target: ImportTarget,
  batch: Batch,
  isNew: boolean,
): Promise<Inserted> {
  const { good, goodRows, bad, images } = batch;
  const done: Inserted = {
    allNew: true,
    imported: 0,
    updated: 0,
    duplicates: 0,
    repeated: 0,
    differing: 0,
    report: bad.map(({ row, faults, question }) => ({
      row,
      line: lineOf(batch, row),
      outcome: 'rejected',
      question,
      faults,
    })),
    ids: [],
    kept: bad.flatMap(({ row, source, kinds }) =>
      source === undefined ? [] : [{ row, source, kinds }],
    ),
    lost: { imported: 0, updated: 0 },
  };
  if (good.length === 0) return done;
  await storeImages(tx, images.values());
  const reserved = await reserveIds(tx, good.length);
  done.ids = idsOf(goodRows, reserved);
  if (isNew && (await copyRows(tx, { rows: good, ids: reserved, importId: target.id }))) {
    done.imported = good.length;
    return done;
  }
  const rows = toRows(batch, reserved);
  const { rowCount } = await tx.query({
    name: 'insert-batch',
    text: INSERT,
    values: [rows, target.id],
  });
  done.imported = rowCount ?? 0;
  done.allNew = done.imported === good.length;
  if (!done.allNew) await reportLeftOut(tx, target, batch, rows, done);
  return done;
}

/** Finds out what became of the rows that were not inserted. */
async function reportLeftOut(
  tx: Transaction,
  target: ImportTarget,
  batch: Batch,
  rows: string,
  done: Inserted,
): Promise<void> {
  const { rows: found } = await tx.query<LeftOut>(LEFT_OUT, [rows, target.id]);
  const firstRows = await readFirstRows(tx, target.id, found, {
    ids: done.ids,
    number: batch.number,
  });
  const { kept: keptRows, lost } = await keepFirstRows(tx, target.id, { rows, found, firstRows });
  done.imported += keptRows.length;
  done.lost.imported = lost;
  done.ids.push(...keptRows.map(({ row, id }) => ({ row, id, count: 1 })));
  const isKept = new Set(keptRows.map(({ row }) => row));
  const leftOut = found.filter(({ row }) => !isKept.has(row));
  const updates = await noteUpdates(tx, target, rows, leftOut);
  done.lost.updated = await withdrawLaterUpdates(tx, target.id, updates);
  const places = new Map(batch.goodRows.map((row, place) => [row, place]));
  for (const { row, question_id, is_repeated, differs } of found) {
    // Of two equal rows one is left out, whichever it is.
    const isUpdate = question_id !== null && !isKept.has(row) && updates.delete(question_id);
    if (!isUpdate && differs) done.differing += 1;
    if (!isUpdate && !differs && is_repeated) done.repeated += 1;
    if (isKept.has(row)) continue;
    const repeats =
      is_repeated && question_id !== null ? firstRows.get(question_id)?.row : undefined;
    done.report.push({
      row,
      line: lineOf(batch, row),
      outcome: isUpdate ? 'updated' : 'duplicate',
      question_id,
      ...(repeats !== undefined && { repeats }),
      ...(differs && !isUpdate && { differs }),
    });
    if (isUpdate) done.updated += 1;
    else done.duplicates += 1;
    if (differs && !isUpdate) {
      done.kept.push({ row, source: toSource(batch.good.at(places.get(row)!), batch.images) });
    }
  }
  done.report.sort((a, b) => a.row - b.row);
  done.kept.sort((a, b) => a.row - b.row);
}

/** The row as a file has it, with its picture. */
function toSource(
  { image_hash: hash, ...fields }: BatchRow,
  images: ReadonlyMap<string, StoredImage>,
): Partial<QuestionRow> {
  const image = hash === undefined ? undefined : images.get(hash);
  if (!image) return fields;
  return { ...fields, image: `data:${image.type};base64,${image.content.toString('base64')}` };
}

/** Returns the questions that rows of the batch update, with the later row that would have updated each. */
async function noteUpdates(
  tx: Transaction,
  { id, on_duplicate }: ImportTarget,
  rows: string,
  leftOut: readonly LeftOut[],
): Promise<Map<number, number | null>> {
  if (on_duplicate === 'skip') return new Map();
  const { rows: noted } = await tx.query<{ question_id: number; later_row: number | null }>(
    NOTE_UPDATES,
    [rows, id, leftOut.map((entry) => entry.row), leftOut.map((entry) => entry.question_id)],
  );
  return new Map(noted.map(({ question_id, later_row }) => [question_id, later_row]));
}

/** Makes duplicates of rows in other batches whose update was replaced. Returns their number. */
async function withdrawLaterUpdates(
  tx: Transaction,
  importId: string,
  updates: ReadonlyMap<number, number | null>,
): Promise<number> {
  const later = [...updates.values()].filter((row) => row !== null);
  for (const row of later) {
    await tx.query(
      `update import_batch
       set updated = updated - 1, duplicates = duplicates + 1,
           report = (
             select jsonb_agg(
               case when entry->'row' = to_jsonb($2::integer)
                 then entry || '{"outcome": "duplicate"}' else entry end order by position)
             from jsonb_array_elements(report) with ordinality as reported (entry, position))
       where import_id = $1 and report @> jsonb_build_array(jsonb_build_object('row', $2::integer))`,
      [importId, row],
    );
  }
  return later.length;
}
