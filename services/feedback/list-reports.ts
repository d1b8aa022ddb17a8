import type { Queryable } from '#database/pool.ts';

export type ReportState = 'open' | 'fixed' | 'dismissed';
export type ReportReason = 'wrong_answer' | 'unclear' | 'outdated' | 'language' | 'other';

/** A learner's report of a question; what the question says is as it is now. */
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
  reason: ReportReason | null;
  comment: string | null;
  state: ReportState;
}

interface ReportFilter {
  state: ReportState | undefined;
  questionId: number | undefined;
  /** From 1. */
  page: number;
}

const PAGE_SIZE = 100;

/** Learners' reports, the newest first, a page at a time. */
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
  // The page is found in an index; only its own rows are joined.
  const { rows: feedback } = await db.query<ReportItem>(
    `with page as (
       select * from feedback ${where}
       order by created_at desc, id desc
       limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE})
     select page.id, page.created_at, account.email as user_email, page.question_id,
            question.uuid as question_uuid, question.topic, question.question, page.type,
            page.quiz_id, page.reason, page.comment, page.state
     from page
     join account on account.id = page.account_id
     join question on question.id = page.question_id
     order by page.created_at desc, page.id desc`,
    values,
  );
  return { feedback, total: counted[0]!.total, page, page_size: PAGE_SIZE };
}

interface Row {
  question: string;
  uuid: string;
  quiz_id: string;
  reason: string | null;
  comment: string | null;
  state: 'open' | 'fixed' | 'dismissed';
  created_at: Date;
  closed_at: Date | null;
}

/** What an account has reported about questions, the newest first. */
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
