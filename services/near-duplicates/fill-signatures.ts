import { withTransaction, type Database, type Transaction } from '#database/pool.ts';
import { hiddenImports } from '#questions/question-filter.ts';
import { signatureOf } from './signature.ts';

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
