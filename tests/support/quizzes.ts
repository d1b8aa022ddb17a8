import { beforeAll } from 'vitest';
import type { Database } from '@proveklar/services/database/pool.ts';
import { answerQuestion } from '@proveklar/services/quiz/answer-question.ts';
import { limitsOf } from '@proveklar/services/limits/limits.ts';
import { startQuiz, type QuizRequest } from '@proveklar/services/quiz/start-quiz.ts';
import { useTestDatabase } from './database.ts';
import { createLearner, createQuestions } from './factories.ts';
import { WIDE_LIMITS } from './limits.ts';

export type Session = Awaited<ReturnType<typeof startQuiz>>;

/** Starts a drill of ten questions by default. */
export const startQuizOf = (db: Database, learnerId: string, request: Partial<QuizRequest> = {}) =>
  startQuiz({ db, limits: limitsOf(WIDE_LIMITS) }, learnerId, {
    topic: 'Historie',
    language: 'no',
    instantFeedback: true,
    questionCount: 10,
    exam: 'samfunnskunnskap',
    ...request,
  });

/** Answers a question of a learner's quiz. The bank is made by `createQuestions`. */
export function answerQuizOf(
  db: Database,
  uid: string,
  { quiz, index, which }: { quiz: Session; index: number; which: 'right' | 'wrong' },
) {
  const question = quiz.questions[index]!;
  const answer = question.options.find((option) => option.startsWith(which))!;
  const given = { quizId: quiz.id, questionUuid: question.uuid, answer };
  return answerQuestion(db, { uid, signedInAt: Date.now(), ...given });
}

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

  const start = (request: Partial<QuizRequest> = {}) =>
    startQuizOf(database.pool, learner.id, request);

  const answer = (quiz: Session, index: number, which: 'right' | 'wrong', uid = learner.uid) =>
    answerQuizOf(database.pool, uid, { quiz, index, which });

  const events = async (quiz: Session, name: string) => {
    const { rows } = await database.pool.query(
      `select payload from outbox where name = $1 and payload->>'quiz_id' = $2`,
      [name, quiz.id],
    );
    return rows.map((row) => row.payload);
  };

  /** How many connections wait for a lock in this database. */
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
