import type { Database, Queryable } from '#database/pool.ts';
import { KeptReadings } from '#questions/kept-readings.ts';
import { readFigures, type Figures, type OptionCount } from './figures.ts';
import {
  queueRevisionOf,
  readReviewQueue,
  type QualityReason,
  type QueuedQuestion,
  type ReviewQueue,
} from './read-review-queue.ts';

export type { QualityReason };
export const QUALITY_PAGE_SIZE = 20;

export interface QualityItem extends QueuedQuestion, Figures {
  uuid: string;
  question: string;
  answer: string;
  topic: string;
  language: string;
  validated: boolean;
  version: number;
  /** ISO date. */
  checked_at: string | null;
  options: OptionCount[];
}

/** @param page from 1 */
export type ListReviewQueue = (
  reason: QualityReason | undefined,
  page: number,
) => Promise<{ items: QualityItem[]; total: number }>;

/**
 * The pages of the review queue, the worst first: those that figures or reports speak against, then
 * those whose source is only old, the oldest first. Each question is there once, with every reason;
 * with a reason given, only those that have it. What the first look finds is kept until something
 * changes what is in the queue; how many have answered, by which they are ordered, may be a minute old.
 */
export function createReviewQueue(db: Database): ListReviewQueue {
  const queues = new KeptReadings<ReviewQueue>();
  return async (reason, page) => {
    const wanted = { key: 'queue', revision: await queueRevisionOf(db), ages: true };
    const { pageOf, totals } = await queues.get(wanted, () => readReviewQueue(db));
    const found = pageOf(reason, (page - 1) * QUALITY_PAGE_SIZE, QUALITY_PAGE_SIZE);
    return { items: await describe(db, found), total: totals[reason ?? 'total'] };
  };
}

async function describe(db: Queryable, found: QueuedQuestion[]): Promise<QualityItem[]> {
  const ids = found.map((item) => item.id);
  const { rows } = await db.query<
    Omit<QualityItem, keyof QueuedQuestion | keyof Figures> & { id: number }
  >(
    `select id, uuid, question, answer, topic, language, validated, version,
            to_char(checked_at, 'YYYY-MM-DD') as checked_at
     from question where id = any ($1::bigint[])`,
    [ids],
  );
  const questions = new Map(rows.map((row) => [row.id, row]));
  const figures = await readFigures(db, ids);
  // One that was deleted meanwhile is left out.
  return found.flatMap((item) => {
    const question = questions.get(item.id);
    return question ? [{ ...question, ...item, ...figures.get(item.id)! }] : [];
  });
}
