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

/** What is cached of a list: its length, and how to find the ids of a page. */
interface ListOrder {
  /** The ids of the page that starts at this offset, and how many questions match. */
  readPage: (page: PagePlace) => Promise<{ ids: number[]; total: number }>;
}

interface PagePlace {
  offset: number;
  pageSize: number;
}

/**
 * Pagination of the bank. The first request of a list counts all matching questions, or caches their order
 * for a page far from its start; every further page reads a few rows. The next request sees a change of any question, whichever process
 * made it; counts and orders by statistics are at most a minute old.
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
    const place = { offset: (page - 1) * pageSize, pageSize };
    const order = await cache.get({ key, revision, expires }, () =>
      readOrder(db, conditions, sort, place),
    );
    const { ids, total } = await order.readPage(place);
    return { questions: await readBankQuestions(db, ids), total, page };
  };
}

export type QuestionSort =
  | 'newest'
  | 'oldest'
  | 'most_selected'
  | 'least_selected'
  | 'lowest_correct'
  | 'topic';

/** Reads of the order what this page needs. */
function readOrder(
  db: Database,
  conditions: Conditions,
  sort: QuestionSort,
  page: PagePlace,
): Promise<ListOrder> {
  // Counting by statistics costs as much as sorting what it counts.
  const isCheap = isById(sort) || !conditions.usesStatistics;
  if (isNearStart(page) && !conditions.isSearch && isCheap)
    return orderFromStart(db, conditions, sort);
  return readWholeOrder(db, conditions, sort);
}

const isById = (sort: QuestionSort) => sort === 'newest' || sort === 'oldest';

function readWholeOrder(
  db: Database,
  conditions: Conditions,
  sort: QuestionSort,
): Promise<ListOrder> {
  return isById(sort) && !conditions.isSearch
    ? orderByBlocks(db, conditions, sort)
    : orderByKey(db, conditions, sort);
}

/** How many questions from the start of a list are read without the rest of its order. */
const START_SIZE = 100;
/** The ids among which a list by id is searched for them. A filter that matches few of these needs its blocks. */
const START_IDS = 8_192;

const isNearStart = ({ offset, pageSize }: PagePlace) => offset + pageSize <= START_SIZE;

/** A count, and the first pages. The whole order, which costs several counts, is read for the first page after them. */
async function orderFromStart(
  db: Database,
  conditions: Conditions,
  sort: QuestionSort,
): Promise<ListOrder> {
  const { where, values } = conditions;
  const [counted, start] = await Promise.all([
    db.query<{ total: number }>(`select count(*) as total from question where ${where}`, values),
    db.query<{ id: number }>(`${startOf(sort, where)} limit ${START_SIZE}`, values),
  ]);
  const { total } = counted.rows[0]!;
  const ids = start.rows.map((row) => row.id);
  let whole: Promise<ListOrder> | undefined;
  return {
    async readPage({ offset, pageSize }) {
      if (offset + pageSize <= ids.length || ids.length >= total)
        return { ids: ids.slice(offset, offset + pageSize), total };
      whole ??= readWholeOrder(db, conditions, sort).catch((error: unknown) => {
        whole = undefined;
        throw error;
      });
      return (await whole).readPage({ offset, pageSize });
    },
  };
}

/** SQL: the ids of a list from its start. */
function startOf(sort: QuestionSort, where: string): string {
  if (sort === 'newest')
    return `select id from question
      where ${where} and id > (select max(id) from question) - ${START_IDS} order by id desc`;
  if (sort === 'oldest')
    return `select id from question
      where ${where} and id < (select min(id) from question) + ${START_IDS} order by id`;
  const { from, key } = KEYS[sort];
  return `select question.id from ${from} where ${where} order by ${key}, question.id desc`;
}

interface Block {
  size: number;
  first: number;
  last: number;
}

/**
 * The order by id, for any page. Questions are counted in blocks of 1024 ids, which tells which blocks
 * hold a page. Only those blocks are read, so the last of fifty thousand pages costs as much as the first.
 * The extended statistics `question_block` tell the planner how few blocks there are.
 */
async function orderByBlocks(
  db: Database,
  { where, values }: Conditions,
  sort: QuestionSort,
): Promise<ListOrder> {
  const { rows: blocks } = await db.query<Block>(
    `select count(*) as size, min(id) as first, max(id) as last
     from question where ${where} group by id >> 10`,
    values,
  );
  const newest = sort === 'newest';
  blocks.sort((a, b) => (newest ? b.first - a.first : a.first - b.first));
  const total = blocks.reduce((sum, { size }) => sum + size, 0);
  return {
    async readPage({ offset, pageSize }) {
      const { skipped, taken } = findBlocksOfPage(blocks, offset, pageSize);
      if (taken.length === 0) return { ids: [], total };
      const { rows } = await db.query<{ id: number }>(
        `select id from question
         where ${where} and (${taken.map(toRange).join(' or ')})
         order by id ${newest ? 'desc' : ''} limit ${pageSize} offset ${offset - skipped}`,
        values,
      );
      return { ids: rows.map((row) => row.id), total };
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
    async readPage({ offset, pageSize }) {
      const length = Math.max(0, Math.min(pageSize, total - offset));
      const found = Array.from({ length }, (_, index) =>
        Number(ids.readBigInt64BE((offset + index) * ID_BYTES)),
      );
      return { ids: found, total };
    },
  };
}
