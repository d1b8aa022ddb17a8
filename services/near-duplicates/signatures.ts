import { type Database, type Transaction, withTransaction } from '#database/pool.ts';
import { hiddenImports } from '#questions/question-filter.ts';

const BATCH = 200;

/**
 * A band that so many texts have is full: it takes no more, so that what a look costs does not grow with
 * the bank. Those who come later are compared with them, and found by their other bands.
 */
export const FULL = 50;

export interface SignedText {
  id: number;
  language: string;
  question: string;
}

const KEEP = `
  insert into question_signature (question_id, bands)
  select id, array(
    select band from unnest(bands::integer[]) as band
    where (select count(*) from (
      select from question_signature where bands @> array[band] limit ${FULL}) met) < ${FULL})
  from unnest($1::bigint[], $2::text[]) as given (id, bands)
  on conflict (question_id) do nothing`;

/** The whole signatures of texts, as PostgreSQL reads arrays. */
export function bandsOf(texts: readonly SignedText[]): string[] {
  return texts.map(({ language, question }) => `{${signatureOf(language, question).join(',')}}`);
}

/** Keeps the signatures of texts; one that is there already stays. */
export async function keepSignatures(
  tx: Transaction,
  texts: readonly SignedText[],
  bands: readonly string[],
): Promise<void> {
  // The planner takes every band for a common one, and would read all signatures for its first ones.
  await tx.query('set local enable_seqscan = off');
  const ids = texts.map(({ id }) => id);
  await tx.query({ name: 'keep-signatures', text: KEEP, values: [ids, bands] });
}

/**
 * Gives the next two hundred questions after an id, and before another, a signature if they have none:
 * because they are older than signatures are, or were edited.
 *
 * @returns the last id that it looked at, or null when there are no more
 */
export async function fillSignatures(
  db: Database,
  after: number,
  before: number,
): Promise<number | null> {
  // First by the indexes alone: as a rule none is missing, and the bank's rows need not be read.
  const { rows } = await db.query<{ id: number }>(
    `select id from question where id > $1 and id < $2
       and not exists (select from question_signature where question_id = question.id)
     order by id limit ${BATCH}`,
    [after, before],
  );
  const ids = rows.map(({ id }) => id);
  const last = ids.at(-1);
  if (last === undefined) return null;
  const { rows: texts } = await db.query<SignedText>(
    `select id, language, question from question
     where id = any ($1) and (import_id is null or import_id <> all ($2::uuid[]))`,
    [ids, await hiddenImports(db)],
  );
  await withoutDeleted(() =>
    withTransaction(db, (tx) => keepSignatures(tx, texts, bandsOf(texts))),
  );
  return last;
}

const FOREIGN_KEY_VIOLATION = '23503';

/** One of them was deleted at this moment: the next import finds the others. */
async function withoutDeleted(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if ((error as { code?: string }).code !== FOREIGN_KEY_VIOLATION) throw error;
  }
}

/** So many hashes make a band: texts meet in a band when all of them agree. */
const ROWS = 4;

/**
 * Of pairs with the similarity s, 1 - (1 - s^4)^20 meet in some band: 94 % at 0.6, 98 % at 0.65,
 * 99.6 % at 0.7, all at 0.8; and 15 % of those with 0.3, which are then looked at in vain.
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
 * Where a text lies among others, by MinHash: texts whose trigrams are much the same have a band in
 * common, whatever the order of their words. Texts of different languages have none, but by chance.
 *
 * @returns so many bands, each a signed number of 32 bits; the same for the same text for ever, as
 *   they are stored
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

/** The trigrams of its words as pg_trgm cuts them, each once. */
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

/** The end of MurmurHash3: every bit of what comes out depends on every bit that goes in. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
