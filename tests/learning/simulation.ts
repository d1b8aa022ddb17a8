import { afterAll, beforeAll } from 'vitest';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import { answerQuestion } from '@proveklar/services/quiz/answer-question.ts';
import { endQuiz } from '@proveklar/services/quiz/end-quiz.ts';
import { countEvents } from '../support/count-events.ts';
import { useTestDatabase } from '../support/database.ts';
import { addQuestions, createLearner } from '../support/factories.ts';
import { WAIT_TIMEOUT_MS } from '../support/hang.ts';
import { type Random, randomFor } from '../support/random.ts';
import { startQuizOf } from '../support/quizzes.ts';
import {
  rightWith,
  simulatedBank,
  SimulatedLearner,
  type SimulatedQuestion,
} from './simulated-learner.ts';

const TOPICS = 8;
const QUESTIONS_PER_TOPIC = 33;
export const EXAM = { counted: 34, passMark: 26, options: 3 };
/** Answers to different quizzes share a statement (`answer-question.ts`), so many learners cost little more. */
const CONCURRENT = 100;
/** Questions of a set. */
const SET = 10;

export interface Participant {
  id: string;
  uid: string;
  learner: SimulatedLearner;
  random: Random;
}

/** Simulated learners who practise through the real services on a database with a clock of its own. */
export function withSimulation(seed: number) {
  const database = useTestDatabase();
  const bank = simulatedBank(randomFor(seed, 'bank'), TOPICS, QUESTIONS_PER_TOPIC);
  const byText = new Map(bank.map((question) => [textOf(question), question]));
  let db: Database;
  let today = 0;

  beforeAll(async () => {
    await addQuestions(
      database.pool,
      bank.map((question) => ({
        language: 'no',
        topic: question.topic,
        question: textOf(question),
        answer: `right ${question.id}`,
        incorrect: ['a', 'b', 'c'].map((letter) => `wrong ${letter} ${question.id}`),
        explanation: 'Because.',
      })),
      'test',
    );
    await setUpClock(database.pool);
    db = createPool(database.url, { applicationName: 'simulation', max: 16 });
    db.options.connectionTimeoutMillis = WAIT_TIMEOUT_MS;
  });
  afterAll(() => db.end());

  let counting: Promise<void> | undefined;
  /** As one worker does: the events of all learners together. */
  async function count(): Promise<void> {
    // What waits may have missed our events, so a second call follows it.
    await counting;
    counting ??= countEvents(db).finally(() => {
      counting = undefined;
    });
    await counting;
  }

  /** The probabilities that the learner is right on each question of the bank in an exam. */
  const rights = ({ learner }: Participant, time: number) =>
    bank.map((question) => rightWith(learner.knows(question, time), EXAM.options));

  return {
    rights,

    /** The true probability of passing; a bank of this size is nearly as good as one without end. */
    passes(participant: Participant, time: number): number {
      const each = rights(participant, time);
      return binomialTail(each.reduce((sum, right) => sum + right, 0) / each.length);
    },

    get db() {
      return db;
    },
    get today() {
      return today;
    },

    async addLearner(name: string, days: number): Promise<Participant> {
      const random = randomFor(seed, name);
      const { id, uid } = await createLearner(db, { days: days + 30 });
      return { id, uid, random, learner: new SimulatedLearner(random) };
    },

    /** One set of questions. @returns how many were answered; none when there is nothing to draw */
    async practise(
      { id, uid, learner }: Participant,
      topic: string,
      set: number,
      questionCount = SET,
    ): Promise<number> {
      const quiz = await startQuizOf(db, id, { topic, questionCount }).catch(
        (error: { code?: string }) => {
          // Everything was answered right today.
          if (error.code === 'topic_unknown') return null;
          throw error;
        },
      );
      if (!quiz) return 0;
      const time = timeOfSet(today, set);
      for (const shown of quiz.questions) {
        const question = byText.get(shown.question)!;
        const isRight = learner.answersRight(question, time, shown.options.length);
        learner.study(question, time);
        const answer = shown.options.find((option) => option.startsWith('right') === isRight)!;
        const by = { uid, signedInAt: Date.now() };
        await answerQuestion(db, { ...by, quizId: quiz.id, questionUuid: shown.uuid, answer });
      }
      await endQuiz(db, id, quiz.id);
      // The next set follows from what is remembered by now.
      await count();
      return quiz.questions.length;
    },

    /** The day in so many days, `YYYY-MM-DD`. */
    async dayAfter(days: number): Promise<string> {
      const { rows } = await db.query<{ day: string }>(
        `select ((now() at time zone 'Europe/Oslo')::date + $1::int)::text as day`,
        [days],
      );
      return rows[0]!.day;
    },

    async oneDayLater(): Promise<void> {
      today += 1;
      await setClock(database.pool, today);
    },
  };
}

/** The probability of at least so many right answers as the exam needs. */
function binomialTail(right: number): number {
  const { counted, passMark } = EXAM;
  let choices = 1;
  let sum = 0;
  for (let wrong = 0; wrong <= counted - passMark; wrong += 1) {
    sum += choices * right ** (counted - wrong) * (1 - right) ** wrong;
    choices *= (counted - wrong) / (wrong + 1);
  }
  return sum;
}

/** When a set of a day is practised: in the evening, and each some minutes after the one before. */
export const timeOfSet = (day: number, set: number): number => day + 0.7 + set / 100;

function textOf({ id, topic }: SimulatedQuestion): string {
  return `${topic}: question number ${id}?`;
}

/** Sets of how many questions a learner does on a day when they practise. */
export const setsOf = ({ learner }: Participant): number => learner.effort / SET;

/** For connections from now on, `now()` is a function that we set. */
async function setUpClock(db: Database): Promise<void> {
  await db.query('create schema simulated');
  await setClock(db, 0);
  await db.query(`do $$ begin
    execute format('alter database %I set search_path = simulated, public, pg_catalog', current_database());
  end $$`);
  await db.query('alter table quiz alter column started_at set default simulated.now()');
  await db.query('alter table quiz_answer alter column answered_at set default simulated.now()');
}

async function setClock(db: Database, days: number): Promise<void> {
  await db.query(`create or replace function simulated.now() returns timestamptz stable language sql
    as $$ select pg_catalog.now() + interval '${days} days' $$`);
}

/** Does the work for every item, many at a time. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: CONCURRENT }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
    }),
  );
}
