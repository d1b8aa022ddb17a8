import type { Database, Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { handInOverdueOf } from './hand-in.ts';

export interface HistoryItem {
  id: string;
  topic: string;
  completed_at: Date;
  correct_answers: number;
  /** Questions that count. */
  total_questions: number;
  /** Seconds from the start to the end. */
  time_spent: number;
  /** Null for a drill. */
  passed: boolean | null;
  /** Right answers needed to pass a practice test; null for a drill. */
  pass_mark: number | null;
  /** When a corrected key last changed the result. */
  regraded_at: Date | null;
}

export interface OpenQuiz {
  id: string;
  topic: string;
  started_at: Date;
  answered: number;
  /** Questions shown. */
  questions: number;
  /** Until the deadline by the database's clock; null without a deadline. */
  seconds_left: number | null;
}

/** Page size when the request names no `limit`: the quizzes in memory at a time. */
const MAX_PAGE_SIZE = 500;
/** Enough for the drills that may be open at a time (OPEN_DRILLS_PER_ACCOUNT) and some practice tests. */
const MAX_LISTED_OPEN = 10;

/** A page of the quizzes that an account has ended, newest first. */
interface HistoryPage {
  history: HistoryItem[];
  /** The `before` of the next page; null on the last page. */
  next_before: string | null;
}

interface HistoryPageRequest {
  /** Quizzes on the page. */
  limit?: number | undefined;
  /** The last quiz of the previous page: the page starts after it. */
  before?: string | undefined;
}

/**
 * Keyset pagination of the quizzes that an account has ended, newest first.
 *
 * @throws AppError `quiz_not_found` when `before` is not an ended quiz of the account
 */
export async function listHistory(
  db: Database,
  accountId: string,
  { limit = MAX_PAGE_SIZE, before }: HistoryPageRequest = {},
): Promise<HistoryPage> {
  if (before === undefined) await handInOverdueOf(db, accountId);
  else await requireEndedQuiz(db, accountId, before);
  // `ended_at` is compared in the database: a JavaScript Date would lose its microseconds.
  const older = 'and (quiz.ended_at, quiz.id) < ((select ended_at from quiz where id = $3), $3)';
  const { rows } = await db.query<HistoryItem>(
    `select quiz.id, topic, ended_at as completed_at, score as correct_answers,
            total as total_questions,
            round(extract(epoch from ended_at - started_at))::int as time_spent,
            score >= coalesce(quiz.pass_mark, exam_profile.pass_mark) as passed,
            coalesce(quiz.pass_mark, exam_profile.pass_mark) as pass_mark,
            quiz.regraded_at
     from quiz left join exam_profile on exam_profile.name = quiz.exam
     where account_id = $1 and state = 'ended' ${before === undefined ? '' : older}
     order by quiz.ended_at desc, quiz.id desc limit $2`,
    [accountId, limit + 1, ...(before === undefined ? [] : [before])],
  );
  const history = rows.slice(0, limit);
  return { history, next_before: rows.length > limit ? history.at(-1)!.id : null };
}

async function requireEndedQuiz(db: Database, accountId: string, quizId: string): Promise<void> {
  const { rowCount } = await db.query(
    `select from quiz where id = $1 and account_id = $2 and state = 'ended'`,
    [quizId, accountId],
  );
  if (rowCount === 0) throw new AppError('quiz_not_found');
}

/** The pages after a page, each read on demand. */
export async function* readRemainingHistory(
  db: Database,
  accountId: string,
  { next_before: before }: HistoryPage,
): AsyncGenerator<HistoryItem[]> {
  while (before !== null) {
    const page = await listHistory(db, accountId, { before });
    yield page.history;
    before = page.next_before;
  }
}

/**
 * The quizzes that an account can continue, newest first. Drills without an answer come last, so that
 * they push no other quiz off the list.
 */
export async function listOpenQuizzes(db: Database, accountId: string): Promise<OpenQuiz[]> {
  await handInOverdueOf(db, accountId);
  const { rows } = await db.query<OpenQuiz>(
    `select id, topic, started_at,
            (select count(*)::int from quiz_answer where quiz_id = quiz.id) as answered,
            (select count(*)::int from quiz_question where quiz_id = quiz.id) as questions,
            case when deadline_at is not null
                 then greatest(0, ceil(extract(epoch from deadline_at - now())))::int
            end as seconds_left
     from quiz where account_id = $1 and state = 'open'
     order by kind = 'practice_test'
                or exists (select from quiz_answer where quiz_id = quiz.id) desc,
              started_at desc
     limit ${MAX_LISTED_OPEN}`,
    [accountId],
  );
  return rows;
}

export interface QuizActivity {
  /** Quizzes started within the last hour; 10,000 means 10,000 or more. */
  lastHour: number;
  /** Seconds since the last quiz was started; null when there is none. */
  lastSeconds: number | null;
  /** Whether the bank has any question to draw. */
  hasQuestions: boolean;
}

/** The count stops here, so that it stays cheap. */
const MAX_COUNTED = 10_000;

/**
 * Whether learners practise. It runs every few seconds, so it uses the primary key: UUIDv7 ids contain the
 * time.
 */
export async function readQuizActivity(db: Queryable): Promise<QuizActivity> {
  const { rows } = await db.query<QuizActivity>({
    name: 'read-quiz-activity',
    text: `select
        (select count(*)::int from (
           select from quiz where id > (select uuidv7(interval '-1 hour')) limit ${MAX_COUNTED}
         ) as started) as "lastHour",
        extract(epoch from clock_timestamp()
          - (select started_at from quiz order by id desc limit 1))::float8 as "lastSeconds",
        exists (select from question where validated and retired_at is null) as "hasQuestions"`,
  });
  return rows[0]!;
}
