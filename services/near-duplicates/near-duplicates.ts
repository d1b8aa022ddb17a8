import type { NearDuplicateProgress as ProgressBody } from '@proveklar/contract/near-duplicates.ts';
import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import {
  type Database,
  type Queryable,
  type Transaction,
  withTransaction,
} from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { HAS_SAME_ANSWER, THRESHOLD } from '#questions/merge-duplicates.ts';

/** The states of a search that is not over. */
export const ACTIVE_STATES = ['waiting', 'searching'];

/** Requests a search of the questions of an import; it starts when the import is complete. */
export async function requestNearDuplicateSearch(
  tx: Transaction,
  importId: string,
  imported: number,
): Promise<void> {
  if (imported === 0) return;
  await tx.query(
    'insert into near_duplicate_search (import_id, total) values ($1, $2) on conflict do nothing',
    [importId, imported],
  );
}

/** Deletes the search of an import that is undone, with its pairs. */
export async function deleteNearDuplicates(db: Database, importId: string): Promise<void> {
  await db.query('delete from near_duplicate_search where import_id = $1', [importId]);
}

/**
 * Cancels a search. The pairs found so far stay.
 *
 * @throws AppError `import_not_found`; `import_state` when no search is under way
 */
export async function cancelNearDuplicates(
  db: Database,
  importId: string,
  actor: Actor,
): Promise<void> {
  await withTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `update near_duplicate_search set state = 'cancelled', ended_at = clock_timestamp()
       where import_id = $1 and state = any ($2)`,
      [importId, ACTIVE_STATES],
    );
    if (!rowCount) throw await cancelError(tx, importId);
    await recordAction(tx, {
      actor,
      action: 'import.near_duplicates_cancelled',
      subject: importId,
    });
  });
}

async function cancelError(tx: Transaction, importId: string): Promise<AppError> {
  const { rows } = await tx.query<{ state: string | null }>(
    `select search.state from question_import
     left join near_duplicate_search search on search.import_id = question_import.id
     where question_import.id = $1`,
    [importId],
  );
  const [search] = rows;
  if (!search) return new AppError('import_not_found');
  return new AppError('import_state', { details: { near_duplicates: search.state } });
}

/** One of the two questions of a pair. */
interface SimilarQuestion {
  id: number;
  question: string;
  answer: string;
  topic: string;
  validated: boolean;
  import_id: string | null;
}

interface NearDuplicate {
  language: string;
  /** The share of the trigrams of both texts that they have in common. */
  similarity: number;
  /** The imported question. */
  question: SimilarQuestion;
  /** The older question. */
  similar: SimilarQuestion;
}

const PAGE_SIZE = 20;
/** Listing and counting end here. */
const MAX_LISTED = 10_000;

// Texts may have been edited since, so the similarity is computed again.
const FROM_OPEN_PAIRS = `
  from near_duplicate pair
  join question on question.id = pair.question_id and question.retired_at is null
  join question other on other.id = pair.similar_id and other.retired_at is null
  where pair.import_id = $1 and pair.dismissed_at is null
    and question.language = other.language
    and similarity(question.question, other.question) >= ${THRESHOLD}`;
const OPEN_PAIRS = `
  ${FROM_OPEN_PAIRS} and ($2::text is null or (${HAS_SAME_ANSWER}) = ($2 = 'same'))
  order by pair.similarity desc, pair.question_id`;

/** Whether the two questions of a pair have the same right answer, but for capital letters. */
export type PairAnswer = 'same' | 'different';

/**
 * Lists a page of the open pairs of an import, the most similar first, 20 a page. Pairs with a retired
 * or deleted question are left out.
 *
 * @param page from 1
 * @param answer only pairs with the same answer, or with different ones
 * @returns the page, the number of these pairs, and how many have which answers; counted up to 10,000
 * @throws AppError `import_not_found`
 */
export async function listNearDuplicates(
  db: Queryable,
  importId: string,
  { page, answer = null }: { page: number; answer?: PairAnswer | null },
): Promise<{ pairs: NearDuplicate[]; total: number; same: number; different: number }> {
  const { rows } = await db.query<{ state: string }>(
    'select state from question_import where id = $1',
    [importId],
  );
  if (!rows[0]) throw new AppError('import_not_found');
  if (rows[0].state !== 'completed') return { pairs: [], total: 0, same: 0, different: 0 };
  const [list, count] = await Promise.all([
    db.query<NearDuplicate>(
      `select question.language,
              round(similarity(question.question, other.question)::numeric, 3)::float8 as similarity,
              ${side('question')} as question, ${side('other')} as similar
       ${OPEN_PAIRS} limit ${PAGE_SIZE} offset $3`,
      [importId, answer, Math.min((page - 1) * PAGE_SIZE, MAX_LISTED)],
    ),
    db.query<{ total: number; same: number }>(
      `select count(*)::int as total, count(*) filter (where is_same)::int as same
       from (select ${HAS_SAME_ANSWER} as is_same ${FROM_OPEN_PAIRS} limit ${MAX_LISTED}) as counted`,
      [importId],
    ),
  ]);
  const { total, same } = count.rows[0]!;
  const different = total - same;
  return { pairs: list.rows, total: answer ? { same, different }[answer] : total, same, different };
}

/** As many questions as one change of questions may name. */
const MAX_IDS = 1_000;

/**
 * Lists one question of each open pair with the same answer, to be retired together.
 *
 * @param which the newer question of each pair, which the import brought, or the older one
 * @returns at most 1,000 ids
 * @throws AppError `import_not_found`
 */
export async function listSameAnswered(
  db: Queryable,
  importId: string,
  which: 'newer' | 'older',
): Promise<number[]> {
  const { total } = await listNearDuplicates(db, importId, { page: 1, answer: 'same' });
  if (total === 0) return [];
  const { rows } = await db.query<{ id: number }>(
    `select distinct ${which === 'newer' ? 'question' : 'other'}.id
     ${FROM_OPEN_PAIRS} and ${HAS_SAME_ANSWER} order by id limit ${MAX_IDS}`,
    [importId],
  );
  return rows.map(({ id }) => id);
}

const side = (name: string) => `jsonb_build_object(
  'id', ${name}.id, 'question', ${name}.question, 'answer', ${name}.answer, 'topic', ${name}.topic,
  'validated', ${name}.validated, 'import_id', ${name}.import_id)`;

interface Dismissal {
  importId: string;
  /** The id of the imported question. */
  question: number;
  /** False reopens the pair, so that it is listed again. */
  dismissed: boolean;
  actor: Actor;
}

/**
 * Dismisses a pair: the questions are different and both stay. Idempotent.
 *
 * @throws AppError `question_not_found` when the question is in no pair of the import
 */
export async function dismissNearDuplicate(
  db: Database,
  { importId, question, dismissed, actor }: Dismissal,
): Promise<void> {
  await withTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ similar_id: number; was: boolean }>(
      `select similar_id, dismissed_at is not null as was from near_duplicate
       where import_id = $1 and question_id = $2 for update`,
      [importId, question],
    );
    const [pair] = rows;
    if (!pair) throw new AppError('question_not_found');
    if (pair.was === dismissed) return;
    await tx.query(
      `update near_duplicate set dismissed_at = case when $2 then clock_timestamp() end
       where question_id = $1`,
      [question, dismissed],
    );
    await recordAction(tx, {
      actor,
      action: dismissed ? 'question.near_duplicate_dismissed' : 'question.near_duplicate_reopened',
      subject: String(question),
      details: { similar_id: pair.similar_id },
    });
  });
}

/** The progress of the search for near-duplicates of an import. */
export interface NearDuplicateProgress {
  state: ProgressBody['state'];
  /** Questions of the import that were compared so far, and in total. */
  checked: number;
  total: number;
  /** Pairs found, including those that were dismissed or edited since. */
  found: number;
}

/** SQL: the progress of the search, for a row of `question_import`. */
export const NEAR_DUPLICATES = `
  case when state = 'completed' then (
    select jsonb_build_object(
      'state', search.state, 'checked', checked, 'total', total, 'found', found)
    from near_duplicate_search search
    where search.import_id = question_import.id) end as near_duplicates`;
