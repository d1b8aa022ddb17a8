import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { isForeignKeyViolation } from '#database/sql-state.ts';
import { THRESHOLD } from '#questions/merge-duplicates.ts';
import { ACTIVE_STATES } from './near-duplicates.ts';
import {
  bandsOf,
  fillSignatures,
  MAX_TEXTS_PER_BAND,
  storeSignatures,
  type QuestionText,
} from './signatures.ts';

/** Questions per transaction, which takes about a tenth of a second. */
const BATCH_SIZE = 100;
/** Of the candidates that share a band, compares those that share most bands. */
const MAX_CANDIDATES = 20;

/** Notifies of progress. Runs outside the search's transaction, because others would wait for it. */
type NotifyProgress = () => Promise<void>;

/**
 * Searches near-duplicates of an import's questions. For each question it finds the most similar one of
 * the same language with a lower id, in the bank or in the same import. So each pair is found once, from
 * its newer question. The search may be restarted at any time and resumes where it stopped.
 *
 * It misses pairs that share no band (see signatures.ts), or only full bands, as texts do that share
 * little but a pattern. Measured: 15 % of pairs with a similarity of 0.6 to 0.7, 2 % up to 0.8, 0.3 %
 * above. Among many similar questions it may not name the nearest.
 *
 * It runs at a 50 % duty cycle on one connection.
 *
 * @param signal stops it after the current batch
 * @throws the signal's reason
 */
export async function findNearDuplicates(
  db: Database,
  importId: string,
  notifyProgress: NotifyProgress,
  signal?: AbortSignal,
): Promise<void> {
  await atHalfDutyCycle(notifyProgress, signOlder(db, importId), signal);
  await atHalfDutyCycle(notifyProgress, searchAll(db, importId), signal);
  await notifyProgress();
}

const MIN_NOTIFY_INTERVAL_MS = 1_000;

/** After each step, sleeps for as long as the step took: a duty cycle of 50 %. */
async function atHalfDutyCycle(
  notifyProgress: NotifyProgress,
  steps: AsyncGenerator<void>,
  signal?: AbortSignal,
): Promise<void> {
  let notifiedAt = -Infinity;
  let startedAt = performance.now();
  for await (const _ of steps) {
    signal?.throwIfAborted();
    const now = performance.now();
    if (now - notifiedAt >= MIN_NOTIFY_INTERVAL_MS) {
      notifiedAt = now;
      await notifyProgress();
    }
    await sleep(now - startedAt);
    startedAt = performance.now();
  }
}

/** Signs older questions without a signature: from before signatures existed, or edited. Usually none. */
async function* signOlder(db: Database, importId: string): AsyncGenerator<void> {
  let after: number | null = 0;
  while ((after = await signBatch(db, importId, after)) !== null) yield;
}

async function signBatch(db: Database, importId: string, after: number): Promise<number | null> {
  const { rows } = await db.query<{ first: number | null }>(
    `select (select min(id) from question where import_id = $1) as first
     from near_duplicate_search where import_id = $1 and state = any ($2)`,
    [importId, ACTIVE_STATES],
  );
  const first = rows[0]?.first ?? null;
  return first === null ? null : fillSignatures(db, after, first);
}

async function* searchAll(db: Database, importId: string): AsyncGenerator<void> {
  while (await searchBatch(db, importId)) yield;
}

/** @returns whether there is more to do */
async function searchBatch(db: Database, importId: string): Promise<boolean> {
  for (;;) {
    try {
      return await withTransaction(db, (tx) => searchBatchOnce(tx, importId));
    } catch (error) {
      // One of the questions was deleted meanwhile: the next attempt does not read it.
      if (!isForeignKeyViolation(error)) throw error;
    }
  }
}

async function searchBatchOnce(tx: Transaction, importId: string): Promise<boolean> {
  // The row lock makes a cancellation wait for this batch; a second worker takes the next batch.
  const { rows: searches } = await tx.query<{ done_id: number }>(
    `select done_id from near_duplicate_search search
     join question_import on question_import.id = import_id and question_import.state = 'completed'
     where import_id = $1 and search.state = any ($2) for update of search`,
    [importId, ACTIVE_STATES],
  );
  if (!searches[0]) return false;
  const { rows: texts } = await tx.query<QuestionText>(
    `select id, language, question from question where import_id = $1 and id > $2
     order by id limit ${BATCH_SIZE}`,
    [importId, searches[0].done_id],
  );
  const last = texts.at(-1);
  const found = last ? await storePairs(tx, importId, texts) : 0;
  const { rows } = await tx.query<{ state: string }>(
    `update near_duplicate_search
     set checked = checked + $2, found = found + $3, done_id = coalesce($4, done_id),
         state = case when $2 < ${BATCH_SIZE} then 'done' else 'searching' end,
         ended_at = case when $2 < ${BATCH_SIZE} then clock_timestamp() end
     where import_id = $1 returning state`,
    [importId, texts.length, found, last?.id ?? null],
  );
  return rows[0]!.state === 'searching';
}

const INSERT_PAIRS = `
  insert into near_duplicate (question_id, similar_id, import_id, similarity)
  select given.id, best.id, $3, best.similarity
  from (
    select question.id, language, question.question, bands::integer[] as bands
    from unnest($1::bigint[], $2::text[]) as signed (id, bands)
    join question on question.id = signed.id and retired_at is null) given
  cross join lateral (
    select candidate.id, similarity(candidate.question, given.question) as similarity
    from (
      select met.question_id
      from unnest(given.bands) as band
      cross join lateral (
        select question_id from question_signature where bands @> array[band]
        limit ${2 * MAX_TEXTS_PER_BAND}) met
      where met.question_id < given.id
      group by met.question_id order by count(*) desc, met.question_id limit ${MAX_CANDIDATES}) near
    join question candidate on candidate.id = near.question_id
    where candidate.language = given.language and candidate.retired_at is null
    order by similarity desc, candidate.id limit 1) best
  where best.similarity >= ${THRESHOLD}
  on conflict (question_id) do nothing`;

/** @returns how many of the texts are near-duplicates of an older one */
async function storePairs(
  tx: Transaction,
  importId: string,
  texts: readonly QuestionText[],
): Promise<number> {
  const bands = bandsOf(texts);
  await storeSignatures(tx, texts, bands);
  const { rowCount } = await tx.query({
    name: 'near-duplicate-pairs',
    text: INSERT_PAIRS,
    values: [texts.map(({ id }) => id), bands, importId],
  });
  return rowCount ?? 0;
}
