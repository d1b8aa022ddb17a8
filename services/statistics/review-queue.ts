import type { Queryable } from '#database/pool.ts';
import { readFigures, type Figures, type OptionCount } from './figures.ts';

/** Why a question is in the review queue, the worst reason first. */
export const QUALITY_REASONS = [
  'wrong_option_preferred',
  'reported',
  'negative_discrimination',
  'source_outdated',
] as const;
export type QualityReason = (typeof QUALITY_REASONS)[number];

export const QUALITY_PAGE_SIZE = 20;

// A dismissal holds for a year, for the version that was looked at, and until twice as many have
// answered; one of reports until somebody reports the question again.
const STANDING = `
  select question_id, reason, version, answers, dismissed_at from quality_dismissal
  where dismissed_at > now() - interval '1 year'`;
const dismissed = (reason: QualityReason, until: string) => `
  exists (select from standing where standing.question_id = question.id
          and standing.version = question.version and standing.reason = '${reason}' and ${until})`;
const FEWER_ANSWERS = 'quality.answers < 2 * greatest(standing.answers, 1)';
const OUTDATED = `question.validated and question.checked_at < (now() - interval '1 year')::date`;
const IS_OUTDATED = `${OUTDATED} and not ${dismissed('source_outdated', 'true')}`;

// What the workers have marked, and what has open reports: some thousand of a million.
const SUSPECTS = `
  standing as materialized (${STANDING}), open_report as materialized (
    select question_id, count(*)::int as reports, max(created_at) as last_at
    from feedback where state = 'open' group by question_id
  ), candidate as (
    select question_id from question_quality where wrong_option_preferred or negative_discrimination
    union select question_id from open_report
  ), suspect as materialized (
    select question.id, coalesce(quality.answers, 0) as answers,
      coalesce(open_report.reports, 0) as open_reports,
      coalesce(quality.wrong_option_preferred, false)
        and not ${dismissed('wrong_option_preferred', FEWER_ANSWERS)} as wrong_option_preferred,
      open_report.question_id is not null
        and not ${dismissed('reported', 'open_report.last_at <= standing.dismissed_at')} as reported,
      coalesce(quality.negative_discrimination, false)
        and not ${dismissed('negative_discrimination', FEWER_ANSWERS)} as negative_discrimination,
      coalesce(${IS_OUTDATED}, false) as source_outdated
    from candidate
    join question on question.id = candidate.question_id and question.retired_at is null
    left join question_quality quality
      on quality.question_id = question.id and quality.version = question.version
    left join open_report on open_report.question_id = question.id
  )`;

const IS_SUSPECT = 'wrong_option_preferred or reported or negative_discrimination';
// A worse reason outweighs all lesser ones; then what the most learners met.
const WORST_FIRST = `
  wrong_option_preferred desc, reported desc, negative_discrimination desc, source_outdated desc,
  answers desc, id`;

// By an index over what learners may be given, the oldest first.
const ONLY_OUTDATED = `
  from question where retired_at is null and ${IS_OUTDATED}
    and not exists (select from suspect where suspect.id = question.id and (${IS_SUSPECT}))`;
const ALL_OUTDATED = `from question where retired_at is null and ${IS_OUTDATED}`;

interface Found {
  id: number;
  reasons: QualityReason[];
  open_reports: number;
}

export interface QualityItem extends Found, Figures {
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

/**
 * A page of the review queue, the worst first: those that figures or reports speak against, then
 * those whose source is only old, the oldest first. Each question is there once, with every reason.
 *
 * @param reason only those that have this one
 * @param page from 1
 */
export async function listReviewQueue(
  db: Queryable,
  reason: QualityReason | undefined,
  page: number,
): Promise<QualityItem[]> {
  const offset = (page - 1) * QUALITY_PAGE_SIZE;
  const found = await findPage(db, reason, offset);
  return describe(db, found);
}

async function findPage(
  db: Queryable,
  reason: QualityReason | undefined,
  offset: number,
): Promise<Found[]> {
  if (reason === 'source_outdated')
    return findOutdated(db, ALL_OUTDATED, offset, QUALITY_PAGE_SIZE);
  const { rows } = await db.query<Found>(
    `with ${SUSPECTS}
     select id, open_reports, array_remove(array[
       ${QUALITY_REASONS.map((name) => `case when ${name} then '${name}' end`).join(', ')}
     ], null) as reasons
     from suspect where ${reason ?? IS_SUSPECT} order by ${WORST_FIRST} limit $1 offset $2`,
    [QUALITY_PAGE_SIZE, offset],
  );
  if (reason || rows.length === QUALITY_PAGE_SIZE) return rows;
  const before = rows.length > 0 ? offset + rows.length : await countSuspects(db);
  const left = QUALITY_PAGE_SIZE - rows.length;
  const rest = await findOutdated(db, ONLY_OUTDATED, offset + rows.length - before, left);
  return [...rows, ...rest];
}

async function findOutdated(
  db: Queryable,
  from: string,
  offset: number,
  limit: number,
): Promise<Found[]> {
  const { rows } = await db.query<{ id: number; open_reports: number }>(
    `with ${SUSPECTS}
     select id, (select count(*)::int from feedback
                 where question_id = question.id and state = 'open') as open_reports
     ${from} order by checked_at, id limit $1 offset $2`,
    [limit, offset],
  );
  const reasons = await reasonsOf(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({ ...row, reasons: reasons.get(row.id) ?? ['source_outdated'] }));
}

/** Every reason of those among the questions that figures or reports speak against. */
async function reasonsOf(db: Queryable, ids: number[]): Promise<Map<number, QualityReason[]>> {
  const { rows } = await db.query<Found>(
    `with ${SUSPECTS}
     select id, array_remove(array[
       ${QUALITY_REASONS.map((name) => `case when ${name} then '${name}' end`).join(', ')}
     ], null) as reasons
     from suspect where id = any ($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row.reasons]));
}

async function countSuspects(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `with ${SUSPECTS} select count(*)::int as total from suspect where ${IS_SUSPECT}`,
  );
  return rows[0]!.total;
}

export type ReviewTotals = Record<QualityReason, number> & {
  /** Questions, each once. */
  total: number;
};

/** How many questions are in the queue, and for which reasons. */
export async function countReviewQueue(db: Queryable): Promise<ReviewTotals> {
  const { rows } = await db.query<ReviewTotals>(
    `with ${SUSPECTS}, outdated as (select count(*)::int as total ${ALL_OUTDATED})
     select outdated.total as source_outdated,
       count(*) filter (where wrong_option_preferred)::int as wrong_option_preferred,
       count(*) filter (where reported)::int as reported,
       count(*) filter (where negative_discrimination)::int as negative_discrimination,
       outdated.total + count(*) filter (where (${IS_SUSPECT}) and not source_outdated)::int as total
     from outdated left join suspect on true group by outdated.total`,
  );
  return rows[0]!;
}

async function describe(db: Queryable, found: Found[]): Promise<QualityItem[]> {
  const ids = found.map((item) => item.id);
  const { rows } = await db.query<Omit<QualityItem, keyof Found | keyof Figures> & { id: number }>(
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
