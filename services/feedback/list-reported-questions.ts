import type { Queryable } from '#database/pool.ts';
import type { ReportReason, ReportState } from './list-reports.ts';

/** A question with what was reported about it. */
export interface ReportedQuestion {
  id: number;
  uuid: string;
  question: string;
  topic: string;
  language: string;
  retired: boolean;
  /** Open while one report is; then how they were closed last. */
  state: ReportState;
  reports: { open: number; total: number };
  /** How many reports gave each reason; `none`: no reason. */
  reasons: Record<ReportReason | 'none', number>;
  /** The latest ones. */
  comments: { id: string; created_at: Date; reason: ReportReason | null; comment: string }[];
  first_reported_at: Date;
  last_reported_at: Date;
}

export interface ReportedQuestionsWish {
  /** `open`: with a report that nobody has closed; `closed`: without one. */
  state: 'open' | 'closed' | 'all';
  /** By the last report, or by the number of reports: of the open ones where they are asked for. */
  sort: 'newest' | 'reports';
  /** From 1. */
  page: number;
}

const PAGE_SIZE = 20;
const MOST_COMMENTS = 3;

const HAVING = {
  open: `having count(*) filter (where state = 'open') > 0`,
  closed: `having count(*) filter (where state = 'open') = 0`,
  all: '',
};
const ORDER = {
  newest: 'last_reported_at desc, question_id desc',
  reports: 'open desc, total desc, last_reported_at desc, question_id desc',
};

/** The questions that were reported, a page at a time. */
export async function listReportedQuestions(
  db: Queryable,
  { state, sort, page }: ReportedQuestionsWish,
): Promise<{ questions: ReportedQuestion[]; total: number; page: number; page_size: number }> {
  // All reports are counted out of an index; the questions of the page alone are looked at.
  const { rows } = await db.query<{ total: number; question: ReportedQuestionRow | null }>(
    `with reported as materialized (
       select question_id, count(*) filter (where state = 'open') as open, count(*) as total,
              min(created_at) as first_reported_at, max(created_at) as last_reported_at
       from feedback group by question_id ${HAVING[state]}),
     page as (
       select * from reported order by ${ORDER[sort]}
       limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}),
     described as (
       select page.*, question.uuid, question.question, question.topic, question.language,
              question.retired_at is not null as retired,
              case when open > 0 then 'open' else
                (select state from feedback where feedback.question_id = page.question_id
                 order by closed_at desc limit 1) end as state,
              reasons.*, comments.comments
       from page
       join question on question.id = page.question_id
       cross join lateral (${REASONS}) as reasons
       cross join lateral (${COMMENTS}) as comments)
     select counted.total, to_jsonb(described) as question
     from (select count(*) as total from reported) as counted
     left join described on true
     order by ${ORDER[sort].replaceAll(/(\w+) desc/g, 'described.$1 desc')}`,
  );
  const questions = rows.flatMap(({ question }) => (question ? [toQuestion(question)] : []));
  return { questions, total: rows[0]!.total, page, page_size: PAGE_SIZE };
}

const REASONS = `
  select jsonb_build_object(
    'wrong_answer', count(*) filter (where reason = 'wrong_answer'),
    'unclear', count(*) filter (where reason = 'unclear'),
    'outdated', count(*) filter (where reason = 'outdated'),
    'language', count(*) filter (where reason = 'language'),
    'other', count(*) filter (where reason = 'other'),
    'none', count(*) filter (where reason is null)) as reasons
  from feedback where feedback.question_id = page.question_id`;

const COMMENTS = `
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'created_at', created_at,
    'reason', reason, 'comment', comment) order by created_at desc), '[]') as comments
  from (
    select id, created_at, reason, comment from feedback
    where feedback.question_id = page.question_id and comment is not null
    order by created_at desc limit ${MOST_COMMENTS}) as latest`;

/** As PostgreSQL writes it in JSON: times are texts. */
type ReportedQuestionRow = Pick<
  ReportedQuestion,
  'uuid' | 'question' | 'topic' | 'language' | 'retired' | 'state' | 'reasons'
> & {
  question_id: number;
  open: number;
  total: number;
  comments: (Omit<ReportedQuestion['comments'][number], 'created_at'> & { created_at: string })[];
  first_reported_at: string;
  last_reported_at: string;
};

function toQuestion(row: ReportedQuestionRow): ReportedQuestion {
  const { question_id: id, open, total, comments, ...question } = row;
  return {
    ...question,
    id,
    reports: { open, total },
    comments: comments.map((comment) => ({
      ...comment,
      created_at: new Date(comment.created_at),
    })),
    first_reported_at: new Date(row.first_reported_at),
    last_reported_at: new Date(row.last_reported_at),
  };
}
