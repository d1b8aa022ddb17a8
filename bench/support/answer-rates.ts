import type { Bench } from '#row.ts';
import { answerOverHttp } from './answer-load.ts';
import type { AnswersDatabase, Dealt } from './answers-database.ts';
import { CONNECTIONS, pgbenchScript } from './given-answers.ts';
import { PLANNED_AFTER, runPgbench } from './pgbench.ts';

// The estimate before the first round on this host. A run that needs more quizzes fails.
const INITIAL_RATE_ESTIMATE = 10_000;
/** Shorter rounds are not representative, because a process is slow just after its start. */
const MIN_ROUND_S = 5;

export interface Round {
  seconds: number;
  /** Answers per second; without it, as many as possible. */
  rate?: number;
  /** Called when everything is prepared and the answers begin. */
  begin?: () => Promise<void>;
}

/** The number of answers, the rate, and the latencies in milliseconds without the first ones. */
export interface Answered {
  answers: number;
  perSecond: number;
  latencies: number[];
}

/** One side of the comparison. It checks its answers in the database. */
export type Side = (round: Round) => Promise<Answered>;

/** Answers through gateways. */
export function overHttp(bench: Bench, database: AnswersDatabase, urls: string[]): Side {
  return side(database, async (dealt, { seconds: length, rate }) => {
    const order = { urls, ...dealt, seconds: length, ...(rate && { rate }) };
    const { answers, seconds, latencies } = await answerOverHttp(bench, order);
    const skipped = CONNECTIONS * urls.length * PLANNED_AFTER;
    return { answers, perSecond: answers / seconds, latencies: latencies.slice(skipped) };
  });
}

/** Answers by the SQL statement alone, with pgbench. */
export function bySqlAlone({ scratch }: Bench, database: AnswersDatabase): Side {
  return side(database, async ({ first }, { seconds, rate }) => {
    const { transactions, perSecond, latencies } = await runPgbench({
      url: database.url,
      script: pgbenchScript(),
      variables: { first, n: 0 },
      clients: CONNECTIONS,
      dir: scratch.dir,
      seconds,
      ...(rate && { rate }),
    });
    return { answers: transactions, perSecond, latencies };
  });
}

/** Prepares quizzes before each round, estimated from the earlier rounds. */
function side(
  database: AnswersDatabase,
  run: (dealt: Dealt, round: Round) => Promise<Answered>,
): Side {
  let most = 0;
  return async (round) => {
    const expected = round.rate ?? (most || INITIAL_RATE_ESTIMATE);
    const dealt = await database.deal(expected * round.seconds * 2 + 1_000);
    await round.begin?.();
    const answered = await run(dealt, round);
    const stored = await database.countAnswers(dealt);
    if (stored !== answered.answers) {
      throw new Error(`${answered.answers} answers were counted, ${stored} are stored.`);
    }
    if (round.rate === undefined && round.seconds >= MIN_ROUND_S)
      most = Math.max(most, answered.perSecond);
    return answered;
  };
}
