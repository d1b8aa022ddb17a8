import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { THRESHOLD, UNDER_WAY } from './near-duplicates.ts';
import { bandsOf, fillSignatures, FULL, keepSignatures, type SignedText } from './signatures.ts';

/** Looked at in one transaction: a tenth of a second or so. */
const BATCH = 100;
/** Of those that meet in some band, those that meet in most. */
const MAX_COMPARED = 20;

/**
 * Says that a search has moved on. Not in the search's own transaction, which others would wait for.
 */
export type Announce = () => Promise<void>;

/**
 * Looks for near-duplicates of what an import has brought: for each of its questions the most similar
 * one of the same language among those with a lower id, in the bank or in the same import, so that
 * each pair is found once, from its newer side. It may be begun anew at any time, and goes on where it
 * was.
 *
 * What it may miss: pairs that meet in no band (see signatures.ts), and those that meet only in full
 * ones, as texts that share little but a pattern do. Measured: 15 % of pairs with a similarity of 0.6
 * to 0.7, 2 % up to 0.8, 0.3 % above; and of many that are alike it may name another than the nearest.
 *
 * It works half of the time, on one connection.
 *
 * @param signal ends it after the part under way
 * @throws the signal's reason
 */
export async function findNearDuplicates(
  db: Database,
  importId: string,
  announce: Announce,
  signal?: AbortSignal,
): Promise<void> {
  await atHalfDutyCycle(announce, signOlder(db, importId), signal);
  await atHalfDutyCycle(announce, lookThrough(db, importId), signal);
  await announce();
}

const MIN_ANNOUNCE_INTERVAL_MS = 1_000;

/** Duty cycle of 50 %: after each step it leaves the machine to others for as long as the step took. */
async function atHalfDutyCycle(
  announce: Announce,
  steps: AsyncGenerator<void>,
  signal?: AbortSignal,
): Promise<void> {
  let announcedAt = -Infinity;
  let begun = performance.now();
  for await (const _ of steps) {
    signal?.throwIfAborted();
    const now = performance.now();
    if (now - announcedAt >= MIN_ANNOUNCE_INTERVAL_MS) {
      announcedAt = now;
      await announce();
    }
    await sleep(now - begun);
    begun = performance.now();
  }
}

/** As a rule there are none: a bank from before there were signatures, and questions that were edited. */
async function* signOlder(db: Database, importId: string): AsyncGenerator<void> {
  let after: number | null = 0;
  while ((after = await signSome(db, importId, after)) !== null) yield;
}

async function signSome(db: Database, importId: string, after: number): Promise<number | null> {
  const { rows } = await db.query<{ first: number | null }>(
    `select (select min(id) from question where import_id = $1) as first
     from near_duplicate_search where import_id = $1 and state = any ($2)`,
    [importId, UNDER_WAY],
  );
  const first = rows[0]?.first ?? null;
  return first === null ? null : fillSignatures(db, after, first);
}

async function* lookThrough(db: Database, importId: string): AsyncGenerator<void> {
  while (await lookAtSome(db, importId)) yield;
}

const FOREIGN_KEY_VIOLATION = '23503';

/** Returns whether there is more to do. */
async function lookAtSome(db: Database, importId: string): Promise<boolean> {
  for (;;) {
    try {
      return await withTransaction(db, (tx) => lookAtOnce(tx, importId));
    } catch (error) {
      // One of the questions was deleted at this moment: the next look does not find it.
      if ((error as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error;
    }
  }
}

async function lookAtOnce(tx: Transaction, importId: string): Promise<boolean> {
  // Whoever cancels it waits for this part; of two workers, one looks at the next part.
  const { rows: searches } = await tx.query<{ done_id: number }>(
    `select done_id from near_duplicate_search search
     join question_import on question_import.id = import_id and question_import.state = 'completed'
     where import_id = $1 and search.state = any ($2) for update of search`,
    [importId, UNDER_WAY],
  );
  if (!searches[0]) return false;
  const { rows: texts } = await tx.query<SignedText>(
    `select id, language, question from question where import_id = $1 and id > $2
     order by id limit ${BATCH}`,
    [importId, searches[0].done_id],
  );
  const last = texts.at(-1);
  const found = last ? await findPairs(tx, importId, texts) : 0;
  const { rows } = await tx.query<{ state: string }>(
    `update near_duplicate_search
     set checked = checked + $2, found = found + $3, done_id = coalesce($4, done_id),
         state = case when $2 < ${BATCH} then 'done' else 'searching' end,
         ended_at = case when $2 < ${BATCH} then clock_timestamp() end
     where import_id = $1 returning state`,
    [importId, texts.length, found, last?.id ?? null],
  );
  return rows[0]!.state === 'searching';
}

const PAIRS = `
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
        limit ${2 * FULL}) met
      where met.question_id < given.id
      group by met.question_id order by count(*) desc, met.question_id limit ${MAX_COMPARED}) near
    join question candidate on candidate.id = near.question_id
    where candidate.language = given.language and candidate.retired_at is null
    order by similarity desc, candidate.id limit 1) best
  where best.similarity >= ${THRESHOLD}
  on conflict (question_id) do nothing`;

/** Returns how many of the texts are much like one that was there before. */
async function findPairs(
  tx: Transaction,
  importId: string,
  texts: readonly SignedText[],
): Promise<number> {
  const bands = bandsOf(texts);
  await keepSignatures(tx, texts, bands);
  const { rowCount } = await tx.query({
    name: 'near-duplicate-pairs',
    text: PAIRS,
    values: [texts.map(({ id }) => id), bands, importId],
  });
  return rowCount ?? 0;
}
