import type { Database } from '#database/pool.ts';
import { readBankQuestions, type BankQuestion } from './bank-question.ts';
import { conditionsOf, type Conditions, type QuestionFilter } from './question-filter.ts';

export type QuestionSort =
  | 'newest'
  | 'oldest'
  | 'most_selected'
  | 'least_selected'
  | 'lowest_correct'
  | 'topic';

export interface BankPage {
  questions: BankQuestion[];
  /** Questions that match. */
  total: number;
  page: number;
}

const PAGE_SIZE = 20;
/** Up to here it costs nothing to count past what comes before the page. */
const NEAR = 1_000;

/** Of the statistics that a question without any has, and of the text that people sort it by. */
const SORTS = {
  most_selected: { key: 'coalesce(times_selected, 0)', order: 'key desc' },
  least_selected: { key: 'coalesce(times_selected, 0)', order: 'key' },
  // In thousandths. Never answered comes last.
  lowest_correct: {
    key: `coalesce(times_correct::bigint * 1000 / nullif(times_correct + times_incorrect, 0), 1001)`,
    order: 'key',
  },
  topic: { key: 'topic', order: 'key collate "nb-x-icu", key' },
};

/**
 * A page of the bank, 20 questions.
 *
 * The questions are counted in groups by what they are sorted by, which costs no more than counting
 * them: it gives the total, and says in which groups the page is. Only there is it looked for, so the
 * last of fifty thousand pages costs what the first one does.
 *
 * @param page from 1
 */
export async function listBank(
  db: Database,
  filter: QuestionFilter,
  { sort, page }: { sort: QuestionSort; page: number },
): Promise<BankPage> {
  const conditions = await conditionsOf(db, filter);
  const offset = (page - 1) * PAGE_SIZE;
  const find =
    sort === 'newest' || sort === 'oldest'
      ? conditions.isWhole && offset < NEAR
        ? findNear
        : findInBlocks
      : findInGroups;
  const { ids, total } = await find(db, conditions, { sort, offset });
  return { questions: await readBankQuestions(db, ids), total, page };
}

interface Place {
  sort: QuestionSort;
  offset: number;
}
interface Found {
  ids: number[];
  total: number;
}

async function findNear(
  db: Database,
  { where, values }: Conditions,
  { sort, offset }: Place,
): Promise<Found> {
  const [counted, { rows }] = await Promise.all([
    db.query<{ total: number }>(`select count(*) as total from question where ${where}`, values),
    db.query<{ id: number }>(
      `select id from question where ${where} order by id ${sort === 'newest' ? 'desc' : ''}
       limit ${PAGE_SIZE} offset ${offset}`,
      values,
    ),
  ]);
  return { ids: rows.map((row) => row.id), total: counted.rows[0]!.total };
}

interface Block {
  size: number;
  first: number;
  last: number;
}

/** By id: the groups are blocks of 1024 ids, of which the statistics `question_block` know. */
async function findInBlocks(
  db: Database,
  { where, values }: Conditions,
  { sort, offset }: Place,
): Promise<Found> {
  const { rows: blocks } = await db.query<Block>(
    `select count(*) as size, min(id) as first, max(id) as last
     from question where ${where} group by id >> 10`,
    values,
  );
  const newest = sort === 'newest';
  blocks.sort((a, b) => (newest ? b.first - a.first : a.first - b.first));
  const { total, skipped, taken } = cut(blocks, offset);
  if (taken.length === 0) return { ids: [], total };
  const { rows } = await db.query<{ id: number }>(
    `select id from question
     where ${where} and (${taken.map(toRange).join(' or ')})
     order by id ${newest ? 'desc' : ''} limit ${PAGE_SIZE} offset ${offset - skipped}`,
    values,
  );
  return { ids: rows.map((row) => row.id), total };
}

/** Where few match, these are the questions themselves. */
function toRange({ size, first, last }: Block): string {
  return size <= 2 ? `id in (${first}, ${last})` : `id between ${first} and ${last}`;
}

async function findInGroups(
  db: Database,
  { where, values }: Conditions,
  { sort, offset }: Place,
): Promise<Found> {
  const { key, order } = SORTS[sort as keyof typeof SORTS];
  const from = `question left join question_statistics on question_id = question.id`;
  const { rows: groups } = await db.query<{ key: string | number; size: number }>(
    `select key, size from (
       select ${key} as key, count(*) as size from ${from} where ${where} group by 1) as groups
     order by ${order}`,
    values,
  );
  const { total, skipped, taken } = cut(groups, offset);
  if (taken.length === 0) return { ids: [], total };
  const keys = `$${values.length + 1}::${sort === 'topic' ? 'text' : 'bigint'}[]`;
  const { rows } = await db.query<{ id: number }>(
    `select question.id from ${from} where ${where} and ${key} = any (${keys})
     order by array_position(${keys}, ${key}${sort === 'topic' ? '' : '::bigint'}), question.id desc
     limit ${PAGE_SIZE} offset ${offset - skipped}`,
    [...values, taken.map((group) => group.key)],
  );
  return { ids: rows.map((row) => row.id), total };
}

/** The groups that have a part of the page, and how many questions come before them. */
function cut<G extends { size: number }>(groups: readonly G[], offset: number) {
  let total = 0;
  let skipped = 0;
  const taken: G[] = [];
  for (const group of groups) {
    if (total + group.size <= offset) skipped += group.size;
    else if (total < offset + PAGE_SIZE) taken.push(group);
    total += group.size;
  }
  return { total, skipped, taken };
}
