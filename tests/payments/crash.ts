import type { QueryConfig } from 'pg';
import type { Database, Transaction } from '@proveklar/services/database/pool.ts';
import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';

/** A call that leaves our process: to Stripe, to the identity provider, or to the database. */
export type Step = `stripe ${string}` | `identity ${string}` | `sql ${string}`;

interface Crash {
  /** The dependencies for the code under test. */
  deps: PaymentDeps;
  /** The calls so far, in order. */
  steps: Step[];
  /** Resolves when the simulated process has died. */
  died: Promise<void>;
}

/** The call at which it crashes, counted from 0, and whether before or after the call is made. */
export interface CrashPoint {
  at: number;
  when: 'before' | 'after';
  /** If given, the process does not die, but the call's answer is lost and it fails with this error. */
  failure?: (step: Step) => Error;
}

/**
 * The dependencies of a process that is killed at the given call: no later call is made, no answer
 * arrives, nothing is cleaned up, and the database's connections are closed.
 */
function crashing(real: PaymentDeps, point: CrashPoint): Crash {
  const steps: Step[] = [];
  const open = new Set<Transaction>();
  const { promise: died, resolve } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  let isDead = false;

  function happen(step: Step): Promise<never> {
    if (point.failure) throw point.failure(step);
    isDead = true;
    for (const client of open) client.release(true);
    resolve();
    return never;
  }

  async function call<T>(step: Step, run: () => Promise<T>): Promise<T> {
    if (isDead) return never;
    const isThis = steps.push(step) - 1 === point.at;
    if (isThis && point.when === 'before') return happen(step);
    const answer = await run();
    if (isDead) return never;
    return isThis ? happen(step) : answer;
  }

  /** Wraps all functions of an object as calls. */
  const watch = <T extends object>(target: T, kind: 'stripe' | 'identity', prefix = ''): T =>
    new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value === 'object' && value !== null)
          return watch(value, kind, `${String(name)}.`);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) =>
          call(`${kind} ${prefix}${String(name)}`, () => value.apply(target, args));
      },
    });

  const query =
    (target: Pick<Database, 'query'>) =>
    (asked: string | QueryConfig, values?: unknown[]): Promise<unknown> => {
      const text = typeof asked === 'string' ? asked : asked.text;
      return call(`sql ${text.trim().split(/\s+/, 3).join(' ')}`, () =>
        typeof asked === 'string' ? target.query(asked, values) : target.query(asked),
      );
    };

  const watchClient = (client: Transaction): Transaction =>
    new Proxy(client, {
      get(_, name) {
        if (name === 'query') return query(client);
        if (name === 'release') {
          return (error?: Error) => {
            if (open.delete(client)) client.release(error);
          };
        }
        const value = Reflect.get(client, name) as unknown;
        return typeof value === 'function' ? value.bind(client) : value;
      },
    });

  const db = new Proxy(real.db, {
    get(pool, name) {
      if (name === 'query') return query(pool);
      if (name === 'connect') {
        return async () => {
          if (isDead) return never;
          const client = await pool.connect();
          open.add(client);
          return watchClient(client);
        };
      }
      return Reflect.get(pool, name) as unknown;
    },
  });

  const deps = {
    ...real,
    db,
    stripe: watch(real.stripe, 'stripe'),
    identity: watch(real.identity, 'identity'),
  };
  return { deps, steps, died };
}

/** A recovery waits up to a second for the next sign-in, so other crashes go on meanwhile. */
const CONCURRENT_CRASHES = 6;

/**
 * Runs `work` once for each of its calls, with a crash at that call, each time on a new subject and followed by
 * `recover`.
 *
 * @returns the calls at which it crashed
 */
export async function atEachStep<T>(
  real: PaymentDeps,
  { when, failure }: Pick<CrashPoint, 'when' | 'failure'>,
  prepare: () => Promise<T>,
  work: (deps: PaymentDeps, subject: T) => Promise<unknown>,
  recover: (subject: T) => Promise<unknown>,
): Promise<Step[]> {
  const crashedAt: Step[] = [];
  let next = 0;
  const crashUntilComplete = async () => {
    for (;;) {
      const at = next++;
      const subject = await prepare();
      const crash = crashing(real, { at, when, ...(failure && { failure }) });
      const ended = work(crash.deps, subject).catch(() => {});
      await Promise.race([ended, crash.died]);
      if (crash.steps.length <= at) return;
      crashedAt[at] = crash.steps[at]!;
      await recover(subject).catch((error: unknown) => {
        const message = `${when} call ${at}, ${String(crash.steps[at])}: ${String(error)}`;
        throw new Error(message, { cause: error });
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CRASHES }, crashUntilComplete));
  return crashedAt;
}
