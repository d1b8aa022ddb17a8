import type { Database } from '#database/pool.ts';
import { type BankQuestion, readBankQuestions } from './bank-question.ts';
import { KeptReadings, revisionOf } from './kept-readings.ts';
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

/** @param place its page from 1 */
export type ListBank = (
  filter: QuestionFilter,
  place: { sort: QuestionSort; page: number },
) => Promise<BankPage>;

const PAGE_SIZE = 20;

/** What is known of a list once it was gone through: how many it has, and where its pages lie. */
interface ListOrder {
  total: number;
  /** The ids of a page that begins after so many questions. */
  idsAfter: (offset: number) => Promise<number[]>;
}

/**
 * The pages of the bank, 20 questions each. The first look at a list goes through all that match; what
 * it finds is kept, and every other page of it costs a few rows. A change of any question is seen by
 * the next who asks, wherever it was made; counts and orders by statistics within a minute.
 */
export function createBankList(db: Database): ListBank {
  const orders = new KeptReadings<ListOrder>();
  return async (filter, { sort, page }) => {
    // The revision first: what is read after it is at least as new.
    const revision = await revisionOf(db);
    const conditions = await conditionsOf(db, filter);
    const { where, values, usesStatistics } = conditions;
    const ages = usesStatistics || (sort !== 'newest' && sort !== 'oldest' && sort !== 'topic');
    const key = JSON.stringify([sort, where, values]);
    const order = await orders.get({ key, revision, ages }, () => readOrder(db, conditions, sort));
    const ids = await order.idsAfter((page - 1) * PAGE_SIZE);
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

/** Goes through all questions that match. */
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
 * By id they are counted in blocks of 1024 ids, which costs little more than counting them and says
 * in which blocks a page is. Only there is it looked for, so the last of fifty thousand pages costs
 * what the first one does. The statistics `question_block` tell the planner how few blocks there are.
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
    async idsAfter(offset) {
      const { skipped, taken } = cut(blocks, offset);
      if (taken.length === 0) return [];
      const { rows } = await db.query<{ id: number }>(
        `select id from question
         where ${where} and (${taken.map(toRange).join(' or ')})
         order by id ${newest ? 'desc' : ''} limit ${PAGE_SIZE} offset ${offset - skipped}`,
        values,
      );
      return rows.map((row) => row.id);
    },
  };
}

/** The blocks that have a part of the page, and how many questions come before them. */
function cut(blocks: readonly Block[], offset: number) {
  let before = 0;
  let skipped = 0;
  const taken: Block[] = [];
  for (const block of blocks) {
    if (before >= offset + PAGE_SIZE) break;
    if (before + block.size <= offset) skipped += block.size;
    else taken.push(block);
    before += block.size;
  }
  return { skipped, taken };
}

/** Where few match, these are the questions themselves. */
function toRange({ size, first, last }: Block): string {
  return size <= 2 ? `id in (${first}, ${last})` : `id between ${first} and ${last}`;
}

const FROM_STATISTICS = 'question left join question_statistics on question_id = question.id';

/** Of the statistics that a question without any has, and of the text that people sort it by. */
const KEYS: Record<QuestionSort, { from: string; key: string }> = {
  newest: { from: 'question', key: 'null' },
  oldest: { from: 'question', key: 'question.id' },
  most_selected: { from: FROM_STATISTICS, key: '-coalesce(times_selected, 0)' },
  least_selected: { from: FROM_STATISTICS, key: 'coalesce(times_selected, 0)' },
  // In thousandths. Never answered comes last.
  lowest_correct: {
    from: FROM_STATISTICS,
    key: `coalesce(times_correct::bigint * 1000 / nullif(times_correct + times_incorrect, 0), 1001)`,
  },
  topic: {
    // Texts are compared a few times, and not a million.
    from: `question join (
      select name, row_number() over (order by name collate "nb-x-icu", name)
      from (${EACH_TOPIC}) as each (name)
    ) as ranked (name, place) on name = topic`,
    key: 'place',
  },
};

const ID_BYTES = 8;

/**
 * By anything else, and what a search finds, the ids are put in order, all of them: an index that kept
 * them by statistics would have to be changed with every answer. They come, and are kept, as bytes: a
 * million take 8 MB.
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
    async idsAfter(offset) {
      const length = Math.max(0, Math.min(PAGE_SIZE, total - offset));
      return Array.from({ length }, (_, index) =>
        Number(ids.readBigInt64BE((offset + index) * ID_BYTES)),
      );
    },
  };
}
