import type { Bench } from '#row.ts';
import { answerOverHttp } from './answer-load.ts';
import type { AnswersDatabase, Dealt } from './answers-database.ts';
import { CONNECTIONS, pgbenchScript } from './given-answers.ts';
import { PLANNED_AFTER, runPgbench } from './pgbench.ts';

// Until it is known what this machine does. A run that needs more quizzes ends with an error.
const FIRST_GUESS_PER_SECOND = 10_000;
/** A shorter round says little: what has just been started is slow. */
const TELLING_S = 5;

export interface Round {
  seconds: number;
  /** Answers per second; as many as can be without. */
  rate?: number;
  /** Is told when all is prepared and the answers begin. */
  begin?: () => Promise<void>;
}

/** How many answers, how many in a second, and the milliseconds of each but the first. */
export interface Answered {
  answers: number;
  perSecond: number;
  latencies: number[];
}

/** One side that answers; it counts the answers in the database, too. */
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

/** The bare statement, by pgbench. */
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

/** Deals before each round what it may need, by what it needed so far. */
function side(
  database: AnswersDatabase,
  run: (dealt: Dealt, round: Round) => Promise<Answered>,
): Side {
  let most = 0;
  return async (round) => {
    const expected = round.rate ?? (most || FIRST_GUESS_PER_SECOND);
    const dealt = await database.deal(expected * round.seconds * 2 + 1_000);
    await round.begin?.();
    const answered = await run(dealt, round);
    const stored = await database.countAnswers(dealt);
    if (stored !== answered.answers) {
      throw new Error(`${answered.answers} answers were counted, ${stored} are stored.`);
    }
    if (round.rate === undefined && round.seconds >= TELLING_S)
      most = Math.max(most, answered.perSecond);
    return answered;
  };
}
