import type { Database, Queryable } from '#database/pool.ts';
import { revisionOf } from '#questions/kept-readings.ts';

/** Why a question is in the review queue, the worst reason first. */
export const QUALITY_REASONS = [
  'wrong_option_preferred',
  'reported',
  'negative_discrimination',
  'source_outdated',
] as const;
export type QualityReason = (typeof QUALITY_REASONS)[number];

export interface QueuedQuestion {
  id: number;
  reasons: QualityReason[];
  open_reports: number;
}

export type ReviewTotals = Record<QualityReason, number> & {
  /** Questions, each once. */
  total: number;
};

/** The whole queue, as it was when it was read. */
export interface ReviewQueue {
  totals: ReviewTotals;
  pageOf: (reason: QualityReason | undefined, offset: number, size: number) => QueuedQuestion[];
}

// A bit for each: a worse reason outweighs all lesser ones, and a sum of them sorts so.
const BIT: Record<QualityReason, number> = {
  wrong_option_preferred: 8,
  reported: 4,
  negative_discrimination: 2,
  source_outdated: 1,
};

// A dismissal holds for a year, for the version that was looked at, and until twice as many have
// answered; one of reports until somebody reports the question again. One row for each question: the
// planner then joins thousands of them at once.
const STANDING = `
  select question_id, version,
    max(answers) filter (where reason = 'wrong_option_preferred') as preferred_answers,
    max(answers) filter (where reason = 'negative_discrimination') as negative_answers,
    max(dismissed_at) filter (where reason = 'reported') as reported_at,
    bool_or(reason = 'source_outdated') as source_outdated
  from quality_dismissal where dismissed_at > now() - interval '1 year'
  group by question_id, version`;
const fewerThanTwice = (answers: string) => `(
  standing.${answers} is not null and quality.answers < 2 * greatest(standing.${answers}, 1))`;
const IS_OUTDATED = `
  question.validated and question.checked_at < (now() - interval '1 year')::date
  and standing.source_outdated is not true`;
const marked = (reason: QualityReason, condition: string) =>
  `case when ${condition} then ${BIT[reason]} else 0 end`;

// What the workers have marked, and what has open reports: some thousand of a million. Those that
// learners met most come first among equals.
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
    )} + ${marked('source_outdated', IS_OUTDATED)} as bits
  from candidate
  join question on question.id = candidate.question_id and question.retired_at is null
  left join question_quality quality
    on quality.question_id = question.id and quality.version = question.version
  left join open_report on open_report.question_id = question.id
  left join standing on standing.question_id = question.id and standing.version = question.version
  order by bits desc, coalesce(quality.answers, 0) desc, id`;

// By an index over what learners may be given, the oldest first; as bytes, which a hundred thousand
// rows are not.
const OUTDATED = `
  with standing as (${STANDING})
  select string_agg(int8send(question.id), ''::bytea order by checked_at, question.id) as ids
  from question
  left join standing on standing.question_id = question.id and standing.version = question.version
  where retired_at is null and ${IS_OUTDATED}`;

interface Suspect {
  id: number;
  reports: number;
  bits: number;
}

/** Goes through all that figures or reports speak against, and all whose source is old. */
export async function readReviewQueue(db: Database): Promise<ReviewQueue> {
  const [{ rows: known }, { rows: old }] = await Promise.all([
    db.query<Suspect>(SUSPECTS),
    db.query<{ ids: Buffer | null }>(OUTDATED),
  ]);
  const outdated = toIds(old[0]!.ids);
  const suspects = known.filter(({ bits }) => bits > BIT.source_outdated);
  // Those whose reports are dismissed are no suspects, but have reports.
  const byId = new Map(known.map((row) => [row.id, row]));
  const isSuspect = new Set(suspects.map(({ id }) => id));
  const having = (reason: QualityReason) =>
    suspects.filter(({ bits }) => (bits & BIT[reason]) > 0).map(({ id }) => id);
  const lists = {
    all: [...isSuspect, ...outdated.filter((id) => !isSuspect.has(id))],
    wrong_option_preferred: having('wrong_option_preferred'),
    reported: having('reported'),
    negative_discrimination: having('negative_discrimination'),
    source_outdated: outdated,
  };
  return {
    totals: {
      total: lists.all.length,
      wrong_option_preferred: lists.wrong_option_preferred.length,
      reported: lists.reported.length,
      negative_discrimination: lists.negative_discrimination.length,
      source_outdated: lists.source_outdated.length,
    },
    pageOf(reason, offset, size) {
      return lists[reason ?? 'all'].slice(offset, offset + size).map((id) => {
        const { reports, bits } = byId.get(id) ?? { reports: 0, bits: BIT.source_outdated };
        const reasons = QUALITY_REASONS.filter((name) => (bits & BIT[name]) > 0);
        return { id, reasons, open_reports: reports };
      });
    },
  };
}

const ID_BYTES = 8;

/** The lower six bytes: more than a double holds exactly, no table of ours will count. */
function toIds(bytes: Buffer | null): number[] {
  return Array.from({ length: (bytes?.length ?? 0) / ID_BYTES }, (_, index) =>
    bytes!.readUIntBE(index * ID_BYTES + 2, 6),
  );
}

/** Another one whenever somebody changed a question, its reports, a dismissal or a verdict. */
export async function queueRevisionOf(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ revision: string }>(
    `select concat_ws('-', reports, last_report, dismissals, last_dismissal) as revision
     from (select count(*), max(created_at) from feedback where state = 'open')
            as open (reports, last_report),
          (select count(*), max(dismissed_at) from quality_dismissal)
            as dismissed (dismissals, last_dismissal)`,
  );
  return `${await revisionOf(db)} ${rows[0]!.revision}`;
}
