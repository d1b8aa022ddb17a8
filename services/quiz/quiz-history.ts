import type { Database, Queryable } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { handInOverdueOf } from './hand-in.ts';

export interface HistoryItem {
  id: string;
  topic: string;
  completed_at: Date;
  correct_answers: number;
  /** Questions that counted. */
  total_questions: number;
  /** Seconds from the start to the end. */
  time_spent: number;
  /** Null for a drill. */
  passed: boolean | null;
  /** Right answers that a practice test needs; null for a drill. */
  pass_mark: number | null;
  /** When a corrected key last changed it. */
  regraded_at: Date | null;
}

export interface OpenQuiz {
  id: string;
  topic: string;
  started_at: Date;
  answered: number;
  /** Questions shown. */
  questions: number;
  /** Until the deadline, by the database's clock; null without one. */
  seconds_left: number | null;
}

/** So many are in memory at a time where no page is asked for. */
const MAX_AT_A_TIME = 500;
/** The drills that may be open at a time, and some practice tests. */
const MAX_OPEN = 10;

/** A part of the quizzes that an account has ended, the newest first. */
interface HistoryPart {
  history: HistoryItem[];
  /** The `before` of the next part; null when there is none. */
  next_before: string | null;
}

interface HistoryWish {
  /** Quizzes of a page. */
  limit?: number | undefined;
  /** Leaves out this quiz and what is newer. */
  before?: string | undefined;
}

/**
 * The newest quizzes that an account has ended, or those older than `before`; `limit` of them, or as many
 * as are read at a time.
 *
 * @throws AppError `quiz_not_found` when `before` is no ended quiz of the account
 */
export async function listHistory(
  db: Database,
  accountId: string,
  { limit = MAX_AT_A_TIME, before }: HistoryWish = {},
): Promise<HistoryPart> {
  if (before === undefined) await handInOverdueOf(db, accountId);
  else await refuseUnknown(db, accountId, before);
  // The time stays in the database: here it would lose its microseconds.
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

async function refuseUnknown(db: Database, accountId: string, quizId: string): Promise<void> {
  const { rowCount } = await db.query(
    `select from quiz where id = $1 and account_id = $2 and state = 'ended'`,
    [quizId, accountId],
  );
  if (rowCount === 0) throw new AppError('quiz_not_found');
}

/** All parts that follow a part, each read when it is asked for. */
export async function* restOfHistory(
  db: Database,
  accountId: string,
  { next_before: before }: HistoryPart,
): AsyncGenerator<HistoryItem[]> {
  while (before !== null) {
    const part = await listHistory(db, accountId, { before });
    yield part.history;
    before = part.next_before;
  }
}

/**
 * The quizzes that an account can go on with, the newest first; drills without any answer come last,
 * and so they push nothing out.
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
     limit ${MAX_OPEN}`,
    [accountId],
  );
  return rows;
}

export interface QuizActivity {
  /** Quizzes begun within the last hour; 10,000 stands for more too. */
  lastHour: number;
  /** Seconds since the last one was begun; null when there is none. */
  lastSeconds: number | null;
  /** Whether there is any question to draw. */
  hasQuestions: boolean;
}

/** No count goes on after so many. */
const MAX_COUNTED = 10_000;

/** Whether learners practise. Asked every few seconds: it goes by the primary key, whose ids are times. */
export async function readQuizActivity(db: Queryable): Promise<QuizActivity> {
  const { rows } = await db.query<QuizActivity>({
    name: 'read-quiz-activity',
    text: `select
        (select count(*)::int from (
           select from quiz where id > (select uuidv7(interval '-1 hour')) limit ${MAX_COUNTED}
         ) as begun) as "lastHour",
        extract(epoch from clock_timestamp()
          - (select started_at from quiz order by id desc limit 1))::float8 as "lastSeconds",
        exists (select from question where validated and retired_at is null) as "hasQuestions"`,
  });
  return rows[0]!;
}
