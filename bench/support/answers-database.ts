import { withClient } from '@proveklar/local/postgres/cluster.ts';
import { createPool } from '@proveklar/services/database/pool.ts';
import { rebuildNext } from '@proveklar/services/learning/rebuild.ts';
import type { Bench } from '#row.ts';
import { fillBank } from './bank.ts';
import { untilRefitted } from './drain.ts';
import {
  BANK,
  CONNECTIONS,
  LEARNERS,
  OPTION_PREFIX,
  QUESTION_OF,
  QUESTION_PREFIX,
  QUESTIONS_PER_QUIZ,
  QUIZ_PREFIX,
  UID_PREFIX,
} from './given-answers.ts';
import { startWorkers } from './product.ts';

/** The numbers of open, unanswered quizzes: the first, and the one after the last. */
export interface Dealt {
  first: number;
  end: number;
}

/** A database with learners and quizzes to answer. */
export class AnswersDatabase {
  readonly url: string;
  readonly #superuserUrl: string;
  #dealt = 0;

  constructor(url: string, superuserUrl: string) {
    this.url = url;
    this.#superuserUrl = superuserUrl;
  }

  /** Creates open quizzes with at least this many questions. */
  async deal(answers: number): Promise<Dealt> {
    const first = this.#dealt;
    // The same number for each connection.
    const turns = Math.ceil(answers / QUESTIONS_PER_QUIZ / CONNECTIONS);
    const end = (this.#dealt += turns * CONNECTIONS);
    await this.#fill(OPEN_QUIZZES, [first, end - 1]);
    await this.#fill(OPEN_QUESTIONS, [first, end - 1]);
    await withClient(this.#superuserUrl, async (client) => {
      await client.query('vacuum analyze quiz, quiz_question, quiz_answer, outbox');
      await client.query('checkpoint');
    });
    return { first, end };
  }

  /** Creates practice tests with all answers, to be handed in: numbered from 0, and answered one after the other. */
  async addAnsweredTests(tests: number): Promise<void> {
    for (const statement of [OPEN_TESTS, OPEN_QUESTIONS, TEST_ANSWERS]) {
      for (let from = 0; from < tests; from += HISTORY_BATCH) {
        await this.#fill(statement, [from, Math.min(from + HISTORY_BATCH, tests) - 1]);
      }
    }
    await withClient(this.#superuserUrl, (client) => client.query('vacuum analyze'));
  }

  /** The number of answered questions. */
  async countAnswers({ first, end }: Dealt): Promise<number> {
    return withClient(this.url, async (client) => {
      const { rows } = await client.query<{ count: number }>(COUNT_ANSWERS, [first, end - 1]);
      return rows[0]!.count;
    });
  }

  /** Empties the outbox, so that the events of one row do not slow down the next. */
  async clearOutbox(): Promise<void> {
    await withClient(this.#superuserUrl, async (client) => {
      await client.query('truncate outbox');
    });
  }

  /** Inserts a year of answers, in ended quizzes. */
  async addHistory(answers: number): Promise<void> {
    const quizzes = Math.ceil(answers / QUESTIONS_PER_QUIZ);
    for (let from = 0; from < quizzes; from += HISTORY_BATCH) {
      const to = Math.min(from + HISTORY_BATCH, quizzes);
      await this.#fill(PAST, [from, to - 1, quizzes]);
    }
  }

  async addLearners(): Promise<void> {
    await withClient(this.#superuserUrl, async (client) => {
      await client.query(LEARNER_ACCOUNTS);
      await client.query(NUMBERED_QUESTIONS);
      await client.query('vacuum full question');
    });
  }

  /** Without foreign key checks, which would take most of the time. */
  async #fill(statement: string, values: number[]): Promise<void> {
    await withClient(this.#superuserUrl, async (client) => {
      await client.query('set session_replication_role = replica');
      await client.query(statement, values);
    });
  }
}

const HISTORY_BATCH = 50_000;

/**
 * Creates a database with this many answers of the past year, learners and a bank. Once for all rows of a run.
 */
export async function answersDatabase(bench: Bench, history: number): Promise<AnswersDatabase> {
  const name = `answers_${history}`;
  const url = await bench.scratch.database(name);
  const known = made.get(url);
  if (known) return known;
  const database = await fillAnswers(bench, url, history);
  made.set(url, database);
  await rebuildLearning(bench, url);
  await runDailyJobs(bench, url);
  await withClient(url, (client) => client.query('vacuum analyze'));
  return database;
}

/** Fills an empty database with learners, a bank and answers; nothing is computed from the answers. */
export async function fillAnswers(
  bench: Bench,
  url: string,
  history: number,
): Promise<AnswersDatabase> {
  bench.say(`making a database with ${history.toLocaleString('en')} answers`);
  await fillBank(url, BANK);
  const database = new AnswersDatabase(url, bench.scratch.asSuperuser(url));
  await database.addLearners();
  await database.addHistory(history);
  return database;
}

/** What learners remember of the history, as after an upgrade: no row measures this background work. */
async function rebuildLearning(bench: Bench, url: string): Promise<void> {
  const startedAt = performance.now();
  const db = createPool(url, { applicationName: 'bench' });
  while (await rebuildNext(db));
  await db.end();
  const seconds = (performance.now() - startedAt) / 1000;
  bench.say(`computed what learners remember of them in ${seconds.toFixed(0)} s`);
}

/** The jobs of a first start, which read all answers: each row would measure them beside its own work. */
async function runDailyJobs(bench: Bench, url: string): Promise<void> {
  const workers = await startWorkers(bench, url);
  try {
    await untilRefitted(url);
  } finally {
    await workers.stop();
  }
}

const made = new Map<string, AnswersDatabase>();

const LEARNER_ACCOUNTS = `
  insert into account (uid, email, display_name, service_expires_at)
  select '${UID_PREFIX}' || n, 'learner-' || n || '@example.no', 'Kari', now() + interval '1 year'
  from generate_series(0, ${LEARNERS - 1}) n`;

// Everything about a question is derived from its number, see given-answers.ts.
const NUMBERED_QUESTIONS = `
  update question set validated = true, retired_at = null,
    uuid = ('${QUESTION_PREFIX}' || lpad(id % ${BANK} || '', 12, '0'))::uuid,
    answer = '${OPTION_PREFIX}1', incorrect = array['${OPTION_PREFIX}2', '${OPTION_PREFIX}3']`;

const QUIZ_ID = `('${QUIZ_PREFIX}' || lpad(n || '', 12, '0'))::uuid`;
const ACCOUNT = `(select id from account where uid = '${UID_PREFIX}' || n % ${LEARNERS})`;
const ASKED = `
  cross join generate_series(0, ${QUESTIONS_PER_QUIZ - 1}) position
  join (select id as question_id, right(uuid::text, 12)::int as number from question) question
    on number = ${QUESTION_OF('n', 'position')}`;

const OPEN_QUIZZES = `
  insert into quiz (id, account_id, kind, topic, language, instant_feedback, total)
  select ${QUIZ_ID}, ${ACCOUNT}, 'drill', 'all', 'no', true, ${QUESTIONS_PER_QUIZ}
  from generate_series($1::int, $2::int) n`;
const OPEN_QUESTIONS = `
  insert into quiz_question (quiz_id, question_id, position)
  select ${QUIZ_ID}, question_id, position + 1 from generate_series($1::int, $2::int) n ${ASKED}`;

const OPEN_TESTS = `
  insert into quiz (id, account_id, kind, exam, topic, language, instant_feedback, total)
  select ${QUIZ_ID}, ${ACCOUNT}, 'practice_test', 'samfunnskunnskap', 'all', 'no', false,
         ${QUESTIONS_PER_QUIZ}
  from generate_series($1::int, $2::int) n`;
const TEST_ANSWERS = `
  insert into quiz_answer (quiz_id, question_id, answer, correct, answered_at)
  select ${QUIZ_ID}, question_id, '${OPTION_PREFIX}' || 1 + wrong, wrong = 0,
         now() - interval '1 day' + interval '10 ms' * n
  from generate_series($1::int, $2::int) n ${ASKED}
  cross join lateral (select (n + position) % 5 / 3 as wrong) answered`;

const COUNT_ANSWERS = `
  select count(*)::int from generate_series($1::int, $2::int) n
  join quiz_answer on quiz_id = ${QUIZ_ID}`;

const PAST = `
  with past as materialized (
    select n, uuidv7(began - clock_timestamp()) as quiz_id, began
    from generate_series($1::int, $2::int) n
    cross join lateral (
      select clock_timestamp() - interval '1 year' * (1 - n / $3::float8) as began) times
  ), quizzes as (
    insert into quiz (id, account_id, kind, topic, language, instant_feedback, state, started_at,
                      ended_at, score, total)
    select quiz_id, ${ACCOUNT}, 'drill', 'all', 'no', true, 'ended', began,
           began + interval '10 minutes', 12, ${QUESTIONS_PER_QUIZ}
    from past
  ), asked as (
    select n, quiz_id, began, question_id, position from past ${ASKED}
  ), questions as (
    insert into quiz_question (quiz_id, question_id, position)
    select quiz_id, question_id, position + 1 from asked
  )
  insert into quiz_answer (quiz_id, question_id, answer, correct, answered_at)
  select quiz_id, question_id, '${OPTION_PREFIX}' || 1 + wrong, wrong = 0,
         began + interval '30 seconds' * position
  from asked cross join lateral (select (n + position) % 5 / 3 as wrong) answered`;
