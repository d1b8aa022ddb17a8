import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '#database/pool.ts';
import { inTime } from '#lifecycle/in-time.ts';
import { outboxTrace } from '#tracing/request-context.ts';
import {
  storeAnswers,
  type AnswerRow,
  type GivenAnswer,
  type TracedAnswer,
} from './store-answers.ts';

/** With two, one is prepared while the other is committed; with more, fewer share one. */
const MOST_STATEMENTS = 2;
/** One that takes longer hangs, on a lock or a connection that is dead: it keeps nobody any more. */
const LONGEST_MS = 1_000;
/** When so many wait they go all the same: a database that hangs must not make them wait in turn. */
const MOST_ANSWERS = 50;

/**
 * Stores an answer, together with others that came while the ones before were on their way: they
 * share a statement and a commit, which is most of what an answer costs. One that comes alone goes at
 * once.
 *
 * @returns undefined when it found nothing to answer
 */
export function storeInLine(db: Database, given: GivenAnswer): Promise<AnswerRow | undefined> {
  let line = lines.get(db);
  if (!line) lines.set(db, (line = new AnswerLine(db)));
  return line.store({ ...given, trace: outboxTrace() });
}

const lines = new WeakMap<Database, AnswerLine>();

interface Waiting {
  answer: TracedAnswer;
  resolve: (row: AnswerRow | undefined) => void;
  reject: (error: unknown) => void;
  /** Does something for its request, also when another's has made place for it. */
  forRequest: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

class AnswerLine {
  readonly #db: Database;
  #waiting: Waiting[] = [];
  #statements = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  store(answer: TracedAnswer): Promise<AnswerRow | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ answer, resolve, reject, forRequest: AsyncLocalStorage.snapshot() });
      this.#go();
    });
  }

  #go(): void {
    const isFull = this.#waiting.length >= MOST_ANSWERS;
    if (this.#waiting.length === 0 || (this.#statements >= MOST_STATEMENTS && !isFull)) return;
    this.#statements += 1;
    const next = this.#next();
    const stored = next[0]!.forRequest(() => this.#storeTogether(next));
    void inTime(LONGEST_MS, stored).then(() => {
      this.#statements -= 1;
      this.#go();
    });
  }

  /** The first that wait, but of each quiz only one. */
  #next(): Waiting[] {
    const quizzes = new Set<string>();
    const next: Waiting[] = [];
    const later: Waiting[] = [];
    for (const waiting of this.#waiting) {
      const quiz = waiting.answer.quizId.toLowerCase();
      (next.length < MOST_ANSWERS && !quizzes.has(quiz) ? next : later).push(waiting);
      quizzes.add(quiz);
    }
    this.#waiting = later;
    return next;
  }

  /** Never waits for a quiz that somebody is changing: the line would wait with it. */
  async #storeTogether(together: Waiting[]): Promise<void> {
    try {
      const rows = await storeAnswers(
        this.#db,
        together.map(({ answer }) => answer),
      );
      for (const [index, waiting] of together.entries()) {
        const row = rows[index];
        if (row) waiting.resolve(row);
        else void this.#storeAlone(waiting);
      }
    } catch (error) {
      // What one of them did must not hit the others. Storing an answer again is harmless.
      const isAnswers =
        together.length > 1 && FAULT_OF_ONE.test(String((error as { code?: unknown }).code));
      for (const waiting of together) {
        if (isAnswers) void this.#storeAlone(waiting);
        else waiting.reject(error);
      }
    }
  }

  async #storeAlone({ answer, resolve, reject, forRequest }: Waiting): Promise<void> {
    const stored = forRequest(() => storeAnswers(this.#db, [answer], true));
    await stored.then(([row]) => resolve(row), reject);
  }
}

/** A value that PostgreSQL refuses, a constraint, a deadlock: not a database that is away. */
const FAULT_OF_ONE = /^(22|23|40)/;
