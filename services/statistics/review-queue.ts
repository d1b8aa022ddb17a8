import {
  type MeasuredDifficulty,
  QUALITY_REASONS,
  type QualityReason,
} from '@proveklar/contract/question-quality.ts';
import type { Actor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { type Database, type Queryable, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { readBankRevision, RevisionCache } from '#questions/revision-cache.ts';
import { IS_VISIBLE } from '#questions/question-filter.ts';
import {
  MEASURED_DIFFICULTY,
  MIN_ANSWERS,
  type ItemAnalysis,
  type OptionCount,
  readItemAnalysis,
} from './item-analysis.ts';

export const QUALITY_PAGE_SIZE = 20;

export interface QualityItem extends QueuedQuestion, ItemAnalysis {
  uuid: string;
  question: string;
  answer: string;
  topic: string;
  language: string;
  validated: boolean;
  version: number;
  /** ISO date. */
  checked_at: string | null;
  ages: number | null;
  measured_difficulty: MeasuredDifficulty;
  options: OptionCount[];
}

/** @param page from 1 */
type ListReviewQueue = (
  reason: QualityReason | undefined,
  page: number,
) => Promise<{ items: QualityItem[]; total: number }>;

interface QueuedQuestion {
  id: number;
  reasons: QualityReason[];
  open_reports: number;
}

type ReviewTotals = Record<QualityReason, number> & {
  /** Questions, each once. */
  total: number;
};

/** A snapshot of the whole queue. */
interface ReviewQueue {
  totals: ReviewTotals;
  readPage: (reason: QualityReason | undefined, offset: number, size: number) => QueuedQuestion[];
}

/**
 * Pagination of the review queue, worst first: questions with bad statistics or open reports, then those
 * whose fact is to be looked at again, then those with only an outdated source, oldest first. Each question is
 * listed once, with all its reasons; a given `reason` filters the list. The snapshot is cached until a change
 * affects what is in the queue; the numbers of answers, by which it is sorted, may be a minute old.
 */
export function createReviewQueue(db: Database): ListReviewQueue {
  const cache = new RevisionCache<ReviewQueue>();
  return async (reason, page) => {
    const lookup = { key: 'queue', revision: await readQueueRevision(db), expires: true };
    const { readPage, totals } = await cache.get(lookup, () => readReviewQueue(db));
    const queued = readPage(reason, (page - 1) * QUALITY_PAGE_SIZE, QUALITY_PAGE_SIZE);
    return { items: await addDetails(db, queued), total: totals[reason ?? 'total'] };
  };
}

/** Changes with every change of a question, its reports, a dismissal or a verdict. */
async function readQueueRevision(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ revision: string }>(
    `select concat_ws('-', reports, last_report, dismissals, last_dismissal) as revision
     from (select count(*), max(created_at) from feedback where state = 'open')
            as open (reports, last_report),
          (select count(*), max(dismissed_at) from quality_dismissal)
            as dismissed (dismissals, last_dismissal)`,
  );
  return `${await readBankRevision(db)} ${rows[0]!.revision}`;
}

async function addDetails(db: Queryable, queued: QueuedQuestion[]): Promise<QualityItem[]> {
  const ids = queued.map((item) => item.id);
  const { rows } = await db.query<
    Omit<QualityItem, keyof QueuedQuestion | keyof ItemAnalysis> & { id: number }
  >(
    `select id, uuid, question, answer, topic, language, validated, version,
            to_char(checked_at, 'YYYY-MM-DD') as checked_at, ages, ${MEASURED_DIFFICULTY}
     from question where id = any ($1::bigint[])`,
    [ids],
  );
  const questions = new Map(rows.map((row) => [row.id, row]));
  const analyses = await readItemAnalysis(db, ids);
  // A question that was deleted meanwhile is left out.
  return queued.flatMap((item) => {
    const question = questions.get(item.id);
    return question ? [{ ...question, ...item, ...analyses.get(item.id)! }] : [];
  });
}

// One bit for each reason. A worse reason outweighs all lesser ones together, so the sum sorts by severity.
const BIT: Record<QualityReason, number> = {
  wrong_option_preferred: 16,
  reported: 8,
  negative_discrimination: 4,
  fact_due: 2,
  source_outdated: 1,
};

// A dismissal holds for one year, for the version that was reviewed, and until the number of answers has
// doubled. A dismissal of reports holds until the question is reported again. One row for each question,
// so that the planner joins thousands of them at once.
const STANDING = `
  select question_id, version,
    max(answers) filter (where reason = 'wrong_option_preferred') as preferred_answers,
    max(answers) filter (where reason = 'negative_discrimination') as negative_answers,
    max(dismissed_at) filter (where reason = 'reported') as reported_at,
    bool_or(reason = 'source_outdated') as source_outdated,
    bool_or(reason = 'fact_due') as fact_due
  from quality_dismissal where dismissed_at > now() - interval '1 year'
  group by question_id, version`;

const fewerThanTwice = (answers: string) => `(
  standing.${answers} is not null and quality.answers < 2 * greatest(standing.${answers}, 1))`;

const IS_OUTDATED = `
  question.validated and question.checked_at < (now() - interval '1 year')::date
  and standing.source_outdated is not true`;

const IS_FACT_DUE = `
  question.validated and question.ages <= extract(year from now() at time zone 'Europe/Oslo')
  and standing.fact_due is not true`;

const marked = (reason: QualityReason, condition: string) =>
  `case when ${condition} then ${BIT[reason]} else 0 end`;

// Questions with a bad verdict (question_quality) or open reports: some thousand of a million. Among
// equals, those with the most answers come first.
const SUSPECTS = `
  with standing as (${STANDING}), open_report as (
    select question_id, count(*)::int as reports, max(created_at) as last_at
    from feedback where state = 'open' group by question_id
  ), candidate as (
    select question_id from question_quality where wrong_option_preferred or negative_discrimination
    union select question_id from open_report
  )
  select question.id, coalesce(open_report.reports, 0) as reports,
    ${marked(
      'wrong_option_preferred',
      `quality.wrong_option_preferred and not ${fewerThanTwice('preferred_answers')}`,
    )} + ${marked(
      'reported',
      `open_report.last_at > coalesce(standing.reported_at, '-infinity')`,
    )} + ${marked(
      'negative_discrimination',
      `quality.negative_discrimination and not ${fewerThanTwice('negative_answers')}`,
    )} + ${marked('fact_due', IS_FACT_DUE)} + ${marked('source_outdated', IS_OUTDATED)} as bits
  from candidate
  join question on question.id = candidate.question_id and question.retired_at is null
  left join question_quality quality
    on quality.question_id = question.id and quality.version = question.version
  left join open_report on open_report.question_id = question.id
  left join standing on standing.question_id = question.id and standing.version = question.version
  order by bits desc, coalesce(quality.answers, 0) desc, id`;

// Uses an index over published questions, oldest first. The ids come as one byte string, because a
// hundred thousand rows would be slow to read.
const idsWhere = (condition: string, order: string) => `
  with standing as (${STANDING})
  select string_agg(int8send(question.id), ''::bytea order by ${order}, question.id) as ids
  from question
  left join standing on standing.question_id = question.id and standing.version = question.version
  where retired_at is null and ${condition}`;

const FACTS_DUE = idsWhere(IS_FACT_DUE, 'ages');
const OUTDATED = idsWhere(IS_OUTDATED, 'checked_at');

interface Suspect {
  id: number;
  reports: number;
  bits: number;
}

/** Reads all questions with bad statistics or open reports, with a fact that is due, and with an outdated source. */
export async function readReviewQueue(db: Database): Promise<ReviewQueue> {
  const [{ rows: candidates }, due, outdated] = await Promise.all([
    db.query<Suspect>(SUSPECTS),
    readIds(db, FACTS_DUE),
    readIds(db, OUTDATED),
  ]);
  const suspects = candidates.filter(({ bits }) => bits >= BIT.negative_discrimination);
  // A question with dismissed reports is no suspect, but its number of reports is shown.
  const byId = new Map(candidates.map((row) => [row.id, row]));
  const isSuspect = new Set(suspects.map(({ id }) => id));
  const having = (reason: QualityReason) =>
    suspects.filter(({ bits }) => (bits & BIT[reason]) > 0).map(({ id }) => id);
  const lists = {
    // Each once, where it comes first.
    all: [...new Set([...isSuspect, ...due, ...outdated])],
    wrong_option_preferred: having('wrong_option_preferred'),
    reported: having('reported'),
    negative_discrimination: having('negative_discrimination'),
    fact_due: due,
    source_outdated: outdated,
  };
  return {
    totals: {
      total: lists.all.length,
      wrong_option_preferred: lists.wrong_option_preferred.length,
      reported: lists.reported.length,
      negative_discrimination: lists.negative_discrimination.length,
      fact_due: due.length,
      source_outdated: lists.source_outdated.length,
    },
    readPage(reason, offset, size) {
      return lists[reason ?? 'all'].slice(offset, offset + size).map((id) => {
        const known = byId.get(id);
        const reasons = QUALITY_REASONS.filter((name) =>
          known ? (known.bits & BIT[name]) > 0 : lists[name].includes(id),
        );
        return { id, reasons, open_reports: known?.reports ?? 0 };
      });
    },
  };
}

async function readIds(db: Queryable, query: string): Promise<number[]> {
  const { rows } = await db.query<{ ids: Buffer | null }>(query);
  return toIds(rows[0]!.ids);
}

const ID_BYTES = 8;

/** Reads the lower six bytes of each id: a double holds 48 bits exactly, and no id of ours gets larger. */
function toIds(bytes: Buffer | null): number[] {
  return Array.from({ length: (bytes?.length ?? 0) / ID_BYTES }, (_, index) =>
    bytes!.readUIntBE(index * ID_BYTES + 2, 6),
  );
}

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
 * The quality of the whole bank. It reads one row for each question that was ever answered: a million
 * rows take about 0.2 s, so call it rarely.
 */
export async function summarizeQuality(db: Database): Promise<QualitySummary> {
  const { total, ...reasons } = (await readReviewQueue(db)).totals;
  const { rows } = await db.query<{
    enough: boolean;
    facility: number;
    discrimination: number | null;
    questions: number;
  }>(
    `select answers >= ${MIN_ANSWERS} as enough,
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

/**
 * Dismisses one reason for a review, because an administrator has found the question right. The question
 * leaves the review queue for this reason until its statistics have changed enough (see `STANDING`) or a
 * year has passed. A repeated dismissal restarts the period.
 *
 * @param question its id or uuid
 * @throws AppError `question_not_found`
 */
export async function dismissQuality(
  db: Database,
  question: number | string,
  reason: QualityReason,
  actor: Actor,
): Promise<void> {
  const column = typeof question === 'number' ? 'id' : 'uuid';
  await withTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ question_id: number; answers: number }>(
      `insert into quality_dismissal (question_id, reason, version, answers)
       select question.id, $2, question.version, coalesce(quality.answers, 0)
       from question
       left join question_quality quality
         on quality.question_id = question.id and quality.version = question.version
       where question.${column} = $1 and ${IS_VISIBLE}
       for key share of question
       on conflict (question_id, reason) do update set
         version = excluded.version, answers = excluded.answers, dismissed_at = clock_timestamp()
       returning question_id, answers`,
      [question, reason],
    );
    const dismissal = rows[0];
    if (!dismissal) throw new AppError('question_not_found');
    await recordAction(tx, {
      actor,
      action: 'question.quality_dismissed',
      subject: String(dismissal.question_id),
      details: { reason, answers: dismissal.answers },
    });
  });
}
