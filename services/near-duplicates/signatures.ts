import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { isForeignKeyViolation } from '#database/sql-state.ts';
import { hiddenImports } from '#questions/question-filter.ts';

const BATCH_SIZE = 200;

/**
 * A band with this many texts is full and takes no more, so that the cost of a search does not grow with
 * the bank. Later texts are compared with those in the band, and are found by their other bands.
 */
export const MAX_TEXTS_PER_BAND = 50;

export interface QuestionText {
  id: number;
  language: string;
  question: string;
}

const INSERT_SIGNATURES = `
  insert into question_signature (question_id, bands)
  select id, array(
    select band from unnest(bands::integer[]) as band
    where (select count(*) from (
      select from question_signature where bands @> array[band]
      limit ${MAX_TEXTS_PER_BAND}) met) < ${MAX_TEXTS_PER_BAND})
  from unnest($1::bigint[], $2::text[]) as given (id, bands)
  on conflict (question_id) do nothing`;

/** The full signatures of texts, as PostgreSQL array literals. */
export function bandsOf(texts: readonly QuestionText[]): string[] {
  return texts.map(({ language, question }) => `{${signatureOf(language, question).join(',')}}`);
}

/** Stores the signatures of texts that have none yet. */
export async function storeSignatures(
  tx: Transaction,
  texts: readonly QuestionText[],
  bands: readonly string[],
): Promise<void> {
  // The planner assumes that every band is common, and would scan all signatures.
  await tx.query('set local enable_seqscan = off');
  const ids = texts.map(({ id }) => id);
  await tx.query({ name: 'keep-signatures', text: INSERT_SIGNATURES, values: [ids, bands] });
}

/**
 * Signs the next two hundred unsigned questions between two ids: questions from before signatures
 * existed, or that were edited.
 *
 * @returns the last id of the batch, or null when there are no more
 */
export async function fillSignatures(
  db: Database,
  after: number,
  before: number,
): Promise<number | null> {
  // Uses the indexes alone: usually no signature is missing, and no row of the bank is read.
  const { rows } = await db.query<{ id: number }>(
    `select id from question where id > $1 and id < $2
       and not exists (select from question_signature where question_id = question.id)
     order by id limit ${BATCH_SIZE}`,
    [after, before],
  );
  const ids = rows.map(({ id }) => id);
  const last = ids.at(-1);
  if (last === undefined) return null;
  const { rows: texts } = await db.query<QuestionText>(
    `select id, language, question from question
     where id = any ($1) and (import_id is null or import_id <> all ($2::uuid[]))`,
    [ids, await hiddenImports(db)],
  );
  await ignoreDeleted(() =>
    withTransaction(db, (tx) => storeSignatures(tx, texts, bandsOf(texts))),
  );
  return last;
}

/** When a question of the batch was deleted meanwhile, the next import signs the others. */
async function ignoreDeleted(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
  }
}

/** Hashes per band. Texts share a band when all of its hashes agree. */
const ROWS = 4;

/**
 * Of pairs with the similarity s, 1 - (1 - s^4)^20 share a band: 94 % at 0.6, 98 % at 0.65, 99.6 % at
 * 0.7, all at 0.8; and 15 % at 0.3, which are compared needlessly.
 */
const BANDS = 20;
// Multiply-shift hashing: odd factors, from a fixed sequence (Knuth's linear congruential generator).
const FACTORS = Uint32Array.from({ length: ROWS * BANDS }, factorAt);

function factorAt(_: unknown, index: number): number {
  let state = 0x9e3779b9;
  for (let turn = 0; turn <= index; turn += 1) state = Math.imul(state, 1664525) + 1013904223;
  return (state | 1) >>> 0;
}

/**
 * The MinHash signature of a text. Texts with similar sets of trigrams share a band, in any word order.
 * Texts of different languages share bands only by chance.
 *
 * @returns `BANDS` signed 32-bit numbers. They are stored, so the result for a text must never change.
 */
export function signatureOf(language: string, text: string): number[] {
  const least = new Uint32Array(FACTORS.length).fill(0xffffffff);
  for (const hash of hashesOf(text)) {
    for (let index = 0; index < FACTORS.length; index += 1) {
      const mixed = mix(Math.imul(hash, FACTORS[index]!) >>> 0);
      if (mixed < least[index]!) least[index] = mixed;
    }
  }
  const seed = hashOf(language, 0);
  return Array.from({ length: BANDS }, (_, band) => {
    let hash = seed ^ band;
    for (let row = 0; row < ROWS; row += 1) hash = mix(hash ^ least[band * ROWS + row]!);
    return hash | 0;
  });
}

const WORD = /[\p{L}\p{N}]+/gu;

/** The hashes of the distinct trigrams of a text, cut as by pg_trgm. */
function hashesOf(text: string): Set<number> {
  const hashes = new Set<number>();
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) {
      hashes.add(hashOf(padded.slice(at, at + 3), 0x811c9dc5));
    }
  }
  return hashes;
}

/** FNV-1a. */
function hashOf(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** The finalizer of MurmurHash3: every output bit depends on every input bit. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
