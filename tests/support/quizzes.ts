import { beforeAll } from 'vitest';
import type { Database } from '@proveklar/services/database/pool.ts';
import { answerQuestion } from '@proveklar/services/quiz/answer-question.ts';
import { limitsOf } from '@proveklar/services/limits/limits.ts';
import { startQuiz, type QuizWish } from '@proveklar/services/quiz/start-quiz.ts';
import { useTestDatabase } from './database.ts';
import { createLearner, createQuestions } from './factories.ts';
import { WIDE_LIMITS } from './limits.ts';

export type Session = Awaited<ReturnType<typeof startQuiz>>;

/** A drill of ten, unless something else is wished for. */
export const startQuizOf = (db: Database, learnerId: string, wish: Partial<QuizWish> = {}) =>
  startQuiz({ db, limits: limitsOf(WIDE_LIMITS) }, learnerId, {
    topic: 'Historie',
    language: 'no',
    instantFeedback: true,
    questionCount: 10,
    exam: 'samfunnskunnskap',
    ...wish,
  });

/** A database with a learner and a bank of four topics, and quizzes over it. */
export function withQuizzes() {
  const database = useTestDatabase();
  let learner: Awaited<ReturnType<typeof createLearner>>;

  beforeAll(async () => {
    learner = await createLearner(database.pool);
    for (const topic of ['Historie', 'Geografi', 'Arbeidsliv', 'Utdanning']) {
      await createQuestions(database.pool, { topic });
    }
  });

  const start = (wish: Partial<QuizWish> = {}) => startQuizOf(database.pool, learner.id, wish);

  const answer = (quiz: Session, index: number, which: 'right' | 'wrong', uid = learner.uid) => {
    const question = quiz.questions[index]!;
    const chosen = question.options.find((option) => option.startsWith(which))!;
    const by = { uid, signedInAt: Date.now() };
    const given = { ...by, quizId: quiz.id, questionUuid: question.uuid, answer: chosen };
    return answerQuestion(database.pool, given);
  };

  const events = async (quiz: Session, name: string) => {
    const { rows } = await database.pool.query(
      `select payload from outbox where name = $1 and payload->>'quiz_id' = $2`,
      [name, quiz.id],
    );
    return rows.map((row) => row.payload);
  };

  /** How many statements wait for a lock in this database. */
  const waiting = async () => {
    const { rowCount } = await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rowCount;
  };

  return {
    database,
    get learner() {
      return learner;
    },
    start,
    answer,
    events,
    waiting,
  };
}
