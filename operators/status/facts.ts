import { countRegistered } from '@proveklar/services/accounts/account.ts';
import {
  backupAgeSeconds,
  type Connections,
  type OffsiteBackups,
  readConnections,
  readOffsiteBackups,
} from '@proveklar/services/database/check-database.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { readProcesses, type RunningProcess } from '@proveklar/services/database/processes.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import {
  type Backlog,
  createQueueHealth,
  type QueueFlow,
  readBacklog,
} from '@proveklar/services/events/queue-health.ts';
import type { QueueName } from '@proveklar/services/events/catalogue.ts';
import {
  countJobs,
  type JobQueue,
  type QueueBackend,
} from '@proveklar/services/events/queue-backend.ts';
import { readPausedSeconds } from '@proveklar/services/events/queue-pauses.ts';
import {
  type OpenRejections,
  readOpenRejections,
} from '@proveklar/services/events/rejected-events.ts';
import { readAuthorizedDomains } from '@proveklar/services/identity/credentials.ts';
import type { IdentityProviderOptions } from '@proveklar/services/identity/identity-provider.ts';
import {
  type ImportActivity,
  readImportActivity,
} from '@proveklar/services/imports/read-imports.ts';
import { tryWithTimeout } from '@proveklar/services/lifecycle/try-with-timeout.ts';
import { type MailActivity, readMailActivity } from '@proveklar/services/mail/send-once.ts';
import {
  type AttentionCounts,
  countAttention,
  findUnknownIntents,
  readReconciled,
  readWebhookHistory,
  type WebhookHistory,
} from '@proveklar/services/payments/incoming/reconcile.ts';
import { countSettled } from '@proveklar/services/payments/overview.ts';
import { type QuizActivity, readQuizActivity } from '@proveklar/services/quiz/quiz-history.ts';
import { readSettings } from '@proveklar/services/settings/settings.ts';
import type { Reconciled } from './evaluate-payments.ts';
import { UNKNOWN_DAYS } from './thresholds.ts';

/** Job counts of a queue. */
export interface QueueCounts {
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  isPaused: boolean;
}

/** Everything that the status is evaluated from. Undefined: could not be read in time. */
export interface Facts {
  /** Milliseconds until PostgreSQL answered. */
  databaseMs: number | undefined;
  connections: Connections | undefined;
  processes: RunningProcess[] | undefined;
  quizzes: QuizActivity | undefined;
  registered: number | undefined;
  priceOre: number | undefined;
  settled: number | undefined;
  reconciled: Reconciled | undefined;
  attention: AttentionCounts | undefined;
  unknownIntents: string[] | undefined;
  webhook: WebhookHistory | undefined;
  imports: ImportActivity | undefined;
  mails: MailActivity | undefined;
  backup: { ageSeconds: number | undefined; offsite: OffsiteBackups | undefined } | undefined;
  backlog: Backlog | undefined;
  rejections: OpenRejections | undefined;
  /** Seconds since each paused queue was paused. */
  pauses: ReadonlyMap<QueueName, number> | undefined;
  flows: Record<string, QueueFlow> | undefined;
  counts: ReadonlyMap<QueueName, QueueCounts | undefined>;
  /** Undefined when Redis did not answer; null for PostgreSQL. */
  evictionPolicy: string | null | undefined;
  identity: ProbeState;
}

export interface FactsDeps {
  db: Database;
  backend: Pick<QueueBackend, 'name' | 'readEvictionPolicy'>;
  queues: ReadonlyMap<QueueName, JobQueue>;
  identity: IdentityProviderOptions;
}

const TIMEOUT_MS = 1_500;
const CONCURRENT_QUERIES = 3;
/** Longer: it reads every queue, each with its own timeout. */
const HEALTH_TIMEOUT_MS = 2_500;

/**
 * Creates the reader of all facts of the status, for a worker process. It returns within three seconds
 * whatever is unreachable, and repeats no call that has not returned yet.
 */
export function createFactsReader({ db, backend, queues, identity }: FactsDeps) {
  const ping = skipWhileRunning(() => db.query('select 1'));
  const readHealth = skipWhileRunning(
    createQueueHealth({ db, backend, queues }),
    HEALTH_TIMEOUT_MS,
  );
  const readPolicy = skipWhileRunning(() => backend.readEvictionPolicy());
  const counters = new Map<QueueName, () => Promise<QueueCounts | undefined>>();
  const countOf = (name: QueueName, queue: JobQueue) => {
    const count = counters.get(name) ?? skipWhileRunning(() => countQueue(queue));
    counters.set(name, count);
    return count();
  };
  const readIdentity = createProbe(async () =>
    typeof (await readAuthorizedDomains(identity)) === 'string'
      ? 'it refuses FIREBASE_API_KEY; npm run doctor says why'
      : null,
  );
  const tables = tableReaders(db);

  return async (): Promise<Facts> => {
    const probed = readIdentity();
    const counting = Promise.all(
      [...queues].map(async ([name, queue]) => [name, await countOf(name, queue)] as const),
    );
    const policy = readPolicy();
    const askedAt = performance.now();
    const isReachable = (await ping()) !== undefined;
    const databaseMs = isReachable ? performance.now() - askedAt : undefined;
    const [health, rows] = await Promise.all([
      isReachable ? readHealth() : undefined,
      readAll(tables, isReachable),
    ]);
    return {
      ...rows,
      databaseMs,
      flows: health?.queues,
      counts: new Map(await counting),
      evictionPolicy: await policy,
      identity: probed,
    };
  };
}

function tableReaders(db: Database) {
  return {
    connections: skipWhileRunning(() => readConnections(db)),
    processes: skipWhileRunning(() => readProcesses(db)),
    quizzes: skipWhileRunning(() => readQuizActivity(db)),
    registered: skipWhileRunning(() => countRegistered(db)),
    priceOre: skipWhileRunning(async () => (await readSettings(db)).price_ore),
    settled: skipWhileRunning(() => countSettled(db)),
    reconciled: skipWhileRunning(() => readReconciled(db)),
    attention: skipWhileRunning(() => countAttention(db)),
    unknownIntents: skipWhileRunning(() => findUnknownIntents(db, UNKNOWN_DAYS)),
    webhook: skipWhileRunning(() => readWebhookHistory(db)),
    imports: skipWhileRunning(() => readImportActivity(db)),
    mails: skipWhileRunning(() => readMailActivity(db)),
    backup: skipWhileRunning(async () => ({
      ageSeconds: await backupAgeSeconds(db),
      offsite: await readOffsiteBackups(db),
    })),
    backlog: skipWhileRunning(() => readBacklog(db)),
    rejections: skipWhileRunning(() => readOpenRejections(db)),
    pauses: skipWhileRunning(() => readPausedSeconds(db)),
  };
}

type Readers = ReturnType<typeof tableReaders>;
type Rows = { [Name in keyof Readers]: Awaited<ReturnType<Readers[Name]>> };

/**
 * Skips all queries while the database is unreachable: each would wait for a connection. Few run at a time, because each
 * needs a connection, which the process would keep from one status to the next.
 */
async function readAll(readers: Readers, isReachable: boolean): Promise<Rows> {
  const rows: Record<string, unknown> = {};
  const left = Object.entries(readers).values();
  const deadline = performance.now() + TIMEOUT_MS;
  async function readNext() {
    for (const [name, call] of left) {
      rows[name] = isReachable && performance.now() < deadline ? await call() : undefined;
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_QUERIES }, readNext));
  return rows as Rows;
}

async function countQueue(queue: JobQueue): Promise<QueueCounts> {
  const [counts, isPaused] = await Promise.all([countJobs(queue), queue.isPaused()]);
  return { ...counts, isPaused };
}

/** Adds a timeout to a call, and skips it while it still runs: undefined then, on a timeout and on an error. */
function skipWhileRunning<T>(
  call: () => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): () => Promise<T | undefined> {
  let inFlight: Promise<T> | undefined;
  return async () => {
    if (inFlight) return undefined;
    inFlight = call();
    const end = () => {
      inFlight = undefined;
    };
    inFlight.then(end, end);
    return tryWithTimeout(timeoutMs, inFlight);
  };
}

interface ProbeState {
  /** Seconds since its last answer; null before the first. */
  answeredSeconds: number | null;
  /** The last failure; null when it answered. */
  problem: string | null;
}

const PROBE_INTERVAL_MS = 60_000;

/**
 * Polls a third-party service at most once a minute, however often its state is read. No reader waits
 * for the answer.
 *
 * @param call returns what is wrong with the answer, or null; throws without an answer
 */
function createProbe(call: () => Promise<string | null>, intervalMs = PROBE_INTERVAL_MS) {
  let askedAt = -Infinity;
  let answeredAt: number | null = null;
  let problem: string | null = null;

  async function probe(): Promise<void> {
    try {
      problem = await call();
      if (problem === null) answeredAt = performance.now();
    } catch (error) {
      problem = reasonOf(error instanceof Error && error.cause ? error.cause : error);
    }
  }

  return (): ProbeState => {
    const now = performance.now();
    if (now - askedAt >= intervalMs) {
      askedAt = now;
      void probe();
    }
    return { answeredSeconds: answeredAt === null ? null : (now - answeredAt) / 1000, problem };
  };
}
