import type { Database } from '#database/pool.ts';
import { readBankQuestions, type BankQuestion } from './bank-question.ts';
import { KeptReadings, revisionOf } from './kept-readings.ts';
import { PAGE_SIZE, readOrder, type ListOrder, type QuestionSort } from './list-order.ts';
import { conditionsOf, type QuestionFilter } from './question-filter.ts';

export interface BankPage {
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
