import type { Database } from '#database/pool.ts';
import { type BankQuestion, readBankQuestions } from './bank-question.ts';
import { RevisionCache, readBankRevision } from './revision-cache.ts';
import {
  type Conditions,
  conditionsOf,
  EACH_TOPIC,
  type QuestionFilter,
} from './question-filter.ts';

interface BankPage {
  questions: BankQuestion[];
  /** Questions that match. */
  total: number;
  page: number;
}

/** The page counts from 1. */
export type ListBank = (
  filter: QuestionFilter,
  { sort, page, pageSize }: { sort: QuestionSort; page: number; pageSize: number },
) => Promise<BankPage>;

/** The result of scanning a list: its length, and how to find the ids of a page. */
interface ListOrder {
  total: number;
  /** The ids of the page that starts at this offset. */
  readPageIds: (offset: number, pageSize: number) => Promise<number[]>;
}

/**
 * Pagination of the bank. The first request of a list scans all matching questions
 * and caches their order; every further page reads a few rows. The next request sees a change of any
 * question, whichever process made it; counts and orders by statistics are at most a minute old.
 */
export function createBankList(db: Database): ListBank {
  const cache = new RevisionCache<ListOrder>();
  return async (filter, { sort, page, pageSize }) => {
    // The revision is read first, so that the order is at least as new as its revision.
    const revision = await readBankRevision(db);
    const conditions = await conditionsOf(db, filter);
    const { where, values, usesStatistics } = conditions;
    const expires = usesStatistics || (sort !== 'newest' && sort !== 'oldest' && sort !== 'topic');
    const key = JSON.stringify([sort, where, values]);
    const order = await cache.get({ key, revision, expires }, () =>
      readOrder(db, conditions, sort),
    );
    const ids = await order.readPageIds((page - 1) * pageSize, pageSize);
    return { questions: await readBankQuestions(db, ids), total: order.total, page };
  };
}

export type QuestionSort =
  | 'newest'
  | 'oldest'
  | 'most_selected'
  | 'least_selected'
  | 'lowest_correct'
  | 'topic';

/** Scans all matching questions. */
function readOrder(db: Database, conditions: Conditions, sort: QuestionSort): Promise<ListOrder> {
  const isById = sort === 'newest' || sort === 'oldest';
  return isById && !conditions.isSearch
    ? orderById(db, conditions, sort)
    : orderByKey(db, conditions, sort);
}

interface Block {
  size: number;
  first: number;
  last: number;
}

/**
 * The order by id. Questions are counted in blocks of 1024 ids, which costs little more than one count
 * and tells which blocks hold a page. Only those blocks are read, so the last of fifty thousand pages
 * costs as much as the first. The extended statistics `question_block` tell the planner how few blocks
 * there are.
 */
async function orderById(
  db: Database,
  { where, values }: Conditions,
  sort: 'newest' | 'oldest',
): Promise<ListOrder> {
  const { rows: blocks } = await db.query<Block>(
    `select count(*) as size, min(id) as first, max(id) as last
     from question where ${where} group by id >> 10`,
    values,
  );
  const newest = sort === 'newest';
  blocks.sort((a, b) => (newest ? b.first - a.first : a.first - b.first));
  return {
    total: blocks.reduce((sum, { size }) => sum + size, 0),
    async readPageIds(offset, pageSize) {
      const { skipped, taken } = findBlocksOfPage(blocks, offset, pageSize);
      if (taken.length === 0) return [];
      const { rows } = await db.query<{ id: number }>(
        `select id from question
         where ${where} and (${taken.map(toRange).join(' or ')})
         order by id ${newest ? 'desc' : ''} limit ${pageSize} offset ${offset - skipped}`,
        values,
      );
      return rows.map((row) => row.id);
    },
  };
}

/** The blocks that hold a part of the page, and the number of questions before them. */
function findBlocksOfPage(blocks: readonly Block[], offset: number, pageSize: number) {
  let before = 0;
  let skipped = 0;
  const taken: Block[] = [];
  for (const block of blocks) {
    if (before >= offset + pageSize) break;
    if (before + block.size <= offset) skipped += block.size;
    else taken.push(block);
    before += block.size;
  }
  return { skipped, taken };
}

/** SQL: the ids of a block. A block of one or two questions names them. */
function toRange({ size, first, last }: Block): string {
  return size <= 2 ? `id in (${first}, ${last})` : `id between ${first} and ${last}`;
}

const FROM_STATISTICS = 'question left join question_statistics on question_id = question.id';

/**
 * The sort key of each order. A question without statistics counts as zero; topics are sorted by the
 * rules of Norwegian Bokmål.
 */
const KEYS: Record<QuestionSort, { from: string; key: string }> = {
  newest: { from: 'question', key: 'null' },
  oldest: { from: 'question', key: 'question.id' },
  most_selected: { from: FROM_STATISTICS, key: '-coalesce(times_selected, 0)' },
  least_selected: { from: FROM_STATISTICS, key: 'coalesce(times_selected, 0)' },
  // In thousandths. Questions that were never answered come last.
  lowest_correct: {
    from: FROM_STATISTICS,
    key: `coalesce(times_correct::bigint * 1000 / nullif(times_correct + times_incorrect, 0), 1001)`,
  },
  topic: {
    // The topics are ranked once, so that the sort compares numbers and not a million texts.
    from: `question join (
      select name, row_number() over (order by name collate "nb-x-icu", name)
      from (${EACH_TOPIC}) as each (name)
    ) as ranked (name, place) on name = topic`,
    key: 'place',
  },
};

const ID_BYTES = 8;

/**
 * Any other order, and search results: sorts all matching ids. An index by statistics would have to be
 * updated with every answer. The ids are read and cached as bytes: a million take 8 MB.
 */
async function orderByKey(
  db: Database,
  { where, values }: Conditions,
  sort: QuestionSort,
): Promise<ListOrder> {
  const { from, key } = KEYS[sort];
  const { rows } = await db.query<{ ids: Buffer | null }>(
    `select string_agg(int8send(id), ''::bytea order by key, id desc) as ids
     from (select question.id, ${key} as key from ${from} where ${where}) as found`,
    values,
  );
  const ids = rows[0]!.ids ?? Buffer.alloc(0);
  const total = ids.length / ID_BYTES;
  return {
    total,
    async readPageIds(offset, pageSize) {
      const length = Math.max(0, Math.min(pageSize, total - offset));
      return Array.from({ length }, (_, index) =>
        Number(ids.readBigInt64BE((offset + index) * ID_BYTES)),
      );
    },
  };
}
