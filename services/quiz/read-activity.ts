import type { Queryable } from '#database/pool.ts';

/** No count goes on after so many. */
const MOST = 10_000;

export interface QuizActivity {
  /** Quizzes begun within the last hour; 10,000 stands for more too. */
  lastHour: number;
  /** Seconds since the last one was begun; null when there is none. */
  lastSeconds: number | null;
  /** Whether there is any question to draw. */
  hasQuestions: boolean;
}

/** Whether learners practise. Asked every few seconds: it goes by the primary key, whose ids are times. */
export async function readQuizActivity(db: Queryable): Promise<QuizActivity> {
  const { rows } = await db.query<QuizActivity>({
    name: 'read-quiz-activity',
    text: `select
        (select count(*)::int from (
           select from quiz where id > (select uuidv7(interval '-1 hour')) limit ${MOST}
         ) as begun) as "lastHour",
        extract(epoch from clock_timestamp()
          - (select started_at from quiz order by id desc limit 1))::float8 as "lastSeconds",
        exists (select from question where validated and retired_at is null) as "hasQuestions"`,
  });
  return rows[0]!;
}
