import type { Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { THRESHOLD } from './find-near-duplicates.ts';

/** One of two questions that are much the same. */
export interface SimilarQuestion {
  id: number;
  question: string;
  answer: string;
  topic: string;
  validated: boolean;
  import_id: string | null;
}

export interface NearDuplicate {
  language: string;
  /** Of the trigrams of both texts, the part that they share. */
  similarity: number;
  /** The one that the import brought. */
  question: SimilarQuestion;
  /** The one that was there before. */
  similar: SimilarQuestion;
}

const PAGE = 20;
/** Nobody goes through more; and counting ends there. */
const MOST = 10_000;

const side = (name: string) => `jsonb_build_object(
  'id', ${name}.id, 'question', ${name}.question, 'answer', ${name}.answer, 'topic', ${name}.topic,
  'validated', ${name}.validated, 'import_id', ${name}.import_id)`;

// Texts may have been edited since: a pair is shown for as long as it is one.
const OPEN = `
  from near_duplicate pair
  join question on question.id = pair.question_id and question.retired_at is null
  join question other on other.id = pair.similar_id and other.retired_at is null
  where pair.import_id = $1 and pair.dismissed_at is null
    and question.language = other.language
    and similarity(question.question, other.question) >= ${THRESHOLD}
  order by pair.similarity desc, pair.question_id`;

/**
 * A page of the pairs that were found for an import and about which nothing was done yet, the most
 * similar first, 20 a page. Pairs with a question that was retired or deleted are none.
 *
 * @param page from 1
 * @returns also how many there are, counted up to 10,000
 * @throws AppError `import_not_found`
 */
export async function listNearDuplicates(
  db: Queryable,
  importId: string,
  page: number,
): Promise<{ pairs: NearDuplicate[]; total: number }> {
  const { rows } = await db.query<{ state: string }>(
    'select state from question_import where id = $1',
    [importId],
  );
  if (!rows[0]) throw new AppError('import_not_found');
  if (rows[0].state !== 'completed') return { pairs: [], total: 0 };
  const [list, count] = await Promise.all([
    db.query<NearDuplicate>(
      `select question.language,
              round(similarity(question.question, other.question)::numeric, 3)::float8 as similarity,
              ${side('question')} as question, ${side('other')} as similar
       ${OPEN} limit ${PAGE} offset $2`,
      [importId, Math.min((page - 1) * PAGE, MOST)],
    ),
    db.query<{ total: number }>(
      `select count(*)::int as total from (select ${OPEN} limit ${MOST}) as counted`,
      [importId],
    ),
  ]);
  return { pairs: list.rows, total: count.rows[0]!.total };
}
