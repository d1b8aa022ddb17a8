import type { Database } from '#database/pool.ts';
import { readReviewQueue, type ReviewTotals } from './read-review-queue.ts';
import { ENOUGH_ANSWERS } from './thresholds.ts';

export interface QualitySummary {
  as_of: Date;
  reasons: Omit<ReviewTotals, 'total'>;
  total: number;
  /** Questions with enough answers. */
  measured: number;
  too_few: number;
  /** Questions in each tenth of the facility. */
  facility: number[];
  /** Questions by tenth of the facility (0 to 9) and of the discrimination (-10 to 9). */
  scatter: { facility: number; discrimination: number; questions: number }[];
}

/**
 * How the bank as a whole is doing. It reads a row for each question that was ever answered (a
 * million take about a fifth of a second): ask for it seldom.
 */
export async function summarizeQuality(db: Database): Promise<QualitySummary> {
  const { total, ...reasons } = (await readReviewQueue(db)).totals;
  const { rows } = await db.query<{
    enough: boolean;
    facility: number;
    discrimination: number | null;
    questions: number;
  }>(
    `select answers >= ${ENOUGH_ANSWERS} as enough,
            least(floor(facility * 10), 9)::int as facility,
            least(floor(discrimination * 10), 9)::int as discrimination,
            count(*)::int as questions
     from question_quality where answers > 0 group by 1, 2, 3`,
  );
  const enough = rows.filter((row) => row.enough);
  const sum = (of: { questions: number }[]) => of.reduce((all, row) => all + row.questions, 0);
  return {
    as_of: new Date(),
    reasons,
    total,
    measured: sum(enough),
    too_few: sum(rows.filter((row) => !row.enough)),
    facility: Array.from({ length: 10 }, (_, bin) =>
      sum(enough.filter((row) => row.facility === bin)),
    ),
    scatter: enough.flatMap(({ facility, discrimination, questions }) =>
      discrimination === null ? [] : [{ facility, discrimination, questions }],
    ),
  };
}
