import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@proveklar/local/postgres/cluster.ts';
import type { AnswersDatabase } from './answers-database.ts';
import { BANK, OPTION_PREFIX, QUESTION_PREFIX, UID_PREFIX } from './given-answers.ts';

// A question that the load never answers, so that every counted answer is the probe's.
const QUESTION = `${QUESTION_PREFIX}${String(BANK).padStart(12, '0')}`;
const POLL_INTERVAL_MS = 5;
const TIMEOUT_MS = 60_000;

/** Answers one question repeatedly, in a new quiz each time, and waits until the answer is counted. */
export class AnswerProbe {
  readonly #url: string;
  readonly #database: AnswersDatabase;
  readonly #token: string;

  /** @param token of the first learner */
  constructor(url: string, database: AnswersDatabase, token: string) {
    this.#url = url;
    this.#database = database;
    this.#token = token;
  }

  /**
   * Polls every 5 ms.
   *
   * @returns milliseconds from the start of the answer's transaction until the statistics have changed
   */
  async measure(): Promise<number> {
    return withClient(this.#database.url, async (client) => {
      await client.query(ADD_QUESTION);
      const { rows } = await client.query<{ id: string }>(START_QUIZ);
      const quizId = rows[0]!.id;
      const before = await count();
      await this.#answer(quizId);
      const deadline = Date.now() + TIMEOUT_MS;
      while ((await count()) === before) {
        if (Date.now() > deadline) throw new Error('An answer was not counted.');
        await sleep(POLL_INTERVAL_MS);
      }
      const since = await client.query<{ ms: number }>(SINCE_ANSWER, [quizId]);
      return since.rows[0]!.ms;

      async function count(): Promise<number> {
        return (await client.query<{ count: number }>(COUNT)).rows[0]!.count;
      }
    });
  }

  async #answer(quizId: string): Promise<void> {
    const response = await fetch(`${this.#url}/api/v1/quiz/${quizId}/answer`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ question_id: QUESTION, answer: `${OPTION_PREFIX}1` }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The answer was rejected: ${response.status} ${text}`);
  }
}

const ADD_QUESTION = `
  insert into question (uuid, language, topic, question, answer, incorrect, validated)
  values ('${QUESTION}', 'no', 'Historie', 'Hva blir telt?', '${OPTION_PREFIX}1',
          array['${OPTION_PREFIX}2', '${OPTION_PREFIX}3'], true)
  on conflict do nothing`;
const START_QUIZ = `
  with quiz as (
    insert into quiz (account_id, kind, topic, language, instant_feedback, total)
    select id, 'drill', 'all', 'no', true, 1 from account where uid = '${UID_PREFIX}0'
    returning id)
  insert into quiz_question (quiz_id, question_id, position)
  select quiz.id, question.id, 1 from quiz cross join question where uuid = '${QUESTION}'
  returning quiz_id as id`;
const COUNT = `
  select coalesce(sum(times_correct + times_incorrect), 0)::int as count
  from question_statistics where question_id = (select id from question where uuid = '${QUESTION}')`;
const SINCE_ANSWER = `
  select extract(epoch from clock_timestamp() - answered_at)::float8 * 1000 as ms
  from quiz_answer where quiz_id = $1`;
