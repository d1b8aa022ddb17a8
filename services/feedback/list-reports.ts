import type { FeedbackReason, FeedbackState } from '@proveklar/contract/feedback.ts';
import type { Queryable } from '#database/pool.ts';

/** A learner's report of a question, with the current text of the question. */
interface ReportItem {
  id: string;
  created_at: Date;
  user_email: string;
  question_id: number;
  question_uuid: string;
  topic: string;
  question: string;
  type: 'thumbs_down';
  /** The quiz in which the learner last met the question. */
  quiz_id: string;
  reason: FeedbackReason | null;
  comment: string | null;
  state: FeedbackState;
}

interface ReportFilter {
  state: FeedbackState | undefined;
  questionId: number | undefined;
  /** From 1. */
  page: number;
}

const REPORTS_PER_PAGE = 100;

/** Pagination of learners' reports, newest first. */
export async function listReports(
  db: Queryable,
  { state, questionId, page }: ReportFilter,
): Promise<{ feedback: ReportItem[]; total: number; page: number; page_size: number }> {
  const conditions = [
    ...(state === undefined ? [] : ['feedback.state = $1']),
    ...(questionId === undefined ? [] : [`feedback.question_id = $${state === undefined ? 1 : 2}`]),
  ];
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const values = [state, questionId].filter((value) => value !== undefined);
  const { rows: counted } = await db.query<{ total: number }>(
    `select count(*) as total from feedback ${where}`,
    values,
  );
  // The page is read from an index; only its rows are joined.
  const { rows: feedback } = await db.query<ReportItem>(
    `with page as (
       select * from feedback ${where}
       order by created_at desc, id desc
       limit ${REPORTS_PER_PAGE} offset ${(page - 1) * REPORTS_PER_PAGE})
     select page.id, page.created_at, account.email as user_email, page.question_id,
            question.uuid as question_uuid, question.topic, question.question, page.type,
            page.quiz_id, page.reason, page.comment, page.state
     from page
     join account on account.id = page.account_id
     join question on question.id = page.question_id
     order by page.created_at desc, page.id desc`,
    values,
  );
  return { feedback, total: counted[0]!.total, page, page_size: REPORTS_PER_PAGE };
}

interface Row {
  question: string;
  uuid: string;
  quiz_id: string;
  reason: string | null;
  comment: string | null;
  state: FeedbackState;
  created_at: Date;
  closed_at: Date | null;
}

/** The reports of an account for its data export, newest first. */
export async function exportReports(db: Queryable, accountId: string) {
  const { rows } = await db.query<Row>(
    `select question.question, question.uuid, quiz_id, reason, comment, state, feedback.created_at,
       closed_at
     from feedback join question on question.id = question_id
     where account_id = $1 order by feedback.created_at desc`,
    [accountId],
  );
  return rows.map(({ created_at, closed_at, ...report }) => ({
    ...report,
    reported_at: created_at.toISOString(),
    closed_at: closed_at?.toISOString() ?? null,
  }));
}

/** A question with its reports. */
interface ReportedQuestion {
  id: number;
  uuid: string;
  question: string;
  topic: string;
  language: string;
  retired: boolean;
  /** `open` while any report is open; otherwise how the last one was closed. */
  state: FeedbackState;
  reports: { open: number; total: number };
  /** The number of reports for each reason; `none` is without a reason. */
  reasons: Record<FeedbackReason | 'none', number>;
  /** The latest ones. */
  comments: { id: string; created_at: Date; reason: FeedbackReason | null; comment: string }[];
  first_reported_at: Date;
  last_reported_at: Date;
}

interface ReportedQuestionsRequest {
  /** `open`: with an open report; `closed`: without one. */
  state: 'open' | 'closed' | 'all';
  /** By the time of the last report, or by the number of reports, open ones first. */
  sort: 'newest' | 'reports';
  /** From 1. */
  page: number;
}

const QUESTIONS_PER_PAGE = 20;

const HAVING = {
  open: `having count(*) filter (where state = 'open') > 0`,
  closed: `having count(*) filter (where state = 'open') = 0`,
  all: '',
};

const ORDER = {
  newest: 'last_reported_at desc, question_id desc',
  reports: 'open desc, total desc, last_reported_at desc, question_id desc',
};

const REASONS = `
  select jsonb_build_object(
    'wrong_answer', count(*) filter (where reason = 'wrong_answer'),
    'unclear', count(*) filter (where reason = 'unclear'),
    'outdated', count(*) filter (where reason = 'outdated'),
    'language', count(*) filter (where reason = 'language'),
    'other', count(*) filter (where reason = 'other'),
    'none', count(*) filter (where reason is null)) as reasons
  from feedback where feedback.question_id = page.question_id`;

const MAX_COMMENTS = 3;

const COMMENTS = `
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'created_at', created_at,
    'reason', reason, 'comment', comment) order by created_at desc), '[]') as comments
  from (
    select id, created_at, reason, comment from feedback
    where feedback.question_id = page.question_id and comment is not null
    order by created_at desc limit ${MAX_COMMENTS}) as latest`;

/** The row as JSON from PostgreSQL: times are strings. */
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

/** Pagination of the reported questions. */
export async function listReportedQuestions(
  db: Queryable,
  { state, sort, page }: ReportedQuestionsRequest,
): Promise<{ questions: ReportedQuestion[]; total: number; page: number; page_size: number }> {
  // All reports are counted from an index; only the questions of the page are read.
  const { rows } = await db.query<{ total: number; question: ReportedQuestionRow | null }>(
    `with reported as materialized (
       select question_id, count(*) filter (where state = 'open') as open, count(*) as total,
              min(created_at) as first_reported_at, max(created_at) as last_reported_at
       from feedback group by question_id ${HAVING[state]}),
     page as (
       select * from reported order by ${ORDER[sort]}
       limit ${QUESTIONS_PER_PAGE} offset ${(page - 1) * QUESTIONS_PER_PAGE}),
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
  return { questions, total: rows[0]!.total, page, page_size: QUESTIONS_PER_PAGE };
}

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
