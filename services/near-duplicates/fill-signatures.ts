import type { Database, Queryable } from '#database/pool.ts';
import { hiddenImports } from '#questions/visible.ts';
import { signatureOf } from './signature.ts';

const BATCH = 1_000;

export interface SignedText {
  id: number;
  language: string;
  question: string;
}

/** Keeps the signatures of texts; one that is there already stays. */
export async function keepSignatures(db: Queryable, texts: readonly SignedText[]): Promise<void> {
  await db.query(
    `insert into question_signature (question_id, bands)
     select id, bands::integer[] from unnest($1::bigint[], $2::text[]) as given (id, bands)
     on conflict (question_id) do nothing`,
    [
      texts.map(({ id }) => id),
      texts.map(({ language, question }) => `{${signatureOf(language, question).join(',')}}`),
    ],
  );
}

/**
 * Gives the next thousand questions after an id, and before another, a signature if they have none:
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
  await withoutDeleted(() => keepSignatures(db, texts));
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
