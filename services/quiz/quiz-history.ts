import type { Database } from '#database/pool.ts';
import { handInOverdueOf } from './overdue.ts';

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

/** As far back as a learner can see; nobody scrolls further. */
const MOST_RUNS = 500;
/** The drills that may be open at a time, and some practice tests. */
const MOST_OPEN = 10;

/** The quizzes that an account has ended, the newest first. */
export async function listHistory(db: Database, accountId: string): Promise<HistoryItem[]> {
  await handInOverdueOf(db, accountId);
  const { rows } = await db.query<HistoryItem>(
    `select quiz.id, topic, ended_at as completed_at, score as correct_answers,
            total as total_questions,
            round(extract(epoch from ended_at - started_at))::int as time_spent,
            score >= coalesce(quiz.pass_mark, exam_profile.pass_mark) as passed,
            coalesce(quiz.pass_mark, exam_profile.pass_mark) as pass_mark,
            quiz.regraded_at
     from quiz left join exam_profile on exam_profile.name = quiz.exam
     where account_id = $1 and state = 'ended'
     order by ended_at desc limit ${MOST_RUNS}`,
    [accountId],
  );
  return rows;
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
     limit ${MOST_OPEN}`,
    [accountId],
  );
  return rows;
}
