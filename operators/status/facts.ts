import { countRegistered } from '@proveklar/services/accounts/account.ts';
import {
  backupAgeSeconds,
  type Connections,
  readConnections,
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
import type { JobQueue, QueueBackend } from '@proveklar/services/events/queue-backend.ts';
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
import type { Reconciled } from './judge-books.ts';
import { UNKNOWN_DAYS } from './thresholds.ts';

/** What a queue says of itself. */
export interface QueueCounts {
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  isPaused: boolean;
}

/** Everything that the status is judged by. What could not be read in time is undefined. */
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
  backup: { ageSeconds: number | undefined } | undefined;
  backlog: Backlog | undefined;
  rejections: OpenRejections | undefined;
  flows: Record<string, QueueFlow> | undefined;
  counts: ReadonlyMap<QueueName, QueueCounts | undefined>;
  /** Undefined when Redis did not answer; null for PostgreSQL. */
  evictionPolicy: string | null | undefined;
  identity: Probed;
}

export interface FactsDeps {
  db: Database;
  backend: Pick<QueueBackend, 'name' | 'readEvictionPolicy'>;
  queues: ReadonlyMap<QueueName, JobQueue>;
  identity: IdentityProviderOptions;
}

const TIMEOUT_MS = 1_500;
/** It asks the queues itself, each with its own timeout. */
const HEALTH_TIMEOUT_MS = 2_500;

/**
 * Makes the reading of everything that the status tells, for a process of workers. It answers within
 * three seconds whatever is away, and asks nothing again that has not answered yet.
 */
export function createFactsReader({ db, backend, queues, identity }: FactsDeps) {
  const ping = oneAtATime(() => db.query('select 1'));
  const readHealth = oneAtATime(createQueueHealth({ db, backend, queues }), HEALTH_TIMEOUT_MS);
  const readPolicy = oneAtATime(() => backend.readEvictionPolicy());
  const counters = new Map<QueueName, () => Promise<QueueCounts | undefined>>();
  const countOf = (name: QueueName, queue: JobQueue) => {
    const count = counters.get(name) ?? oneAtATime(() => countJobs(queue));
    counters.set(name, count);
    return count();
  };
  const readIdentity = createProbe(async () =>
    (await readAuthorizedDomains(identity)) === null ? 'it refuses FIREBASE_API_KEY' : null,
  );
  const tables = tableReaders(db);

  return async (): Promise<Facts> => {
    const probed = readIdentity();
    const counting = Promise.all(
      [...queues].map(async ([name, queue]) => [name, await countOf(name, queue)] as const),
    );
    const policy = readPolicy();
    const askedAt = performance.now();
    const isThere = (await ping()) !== undefined;
    const databaseMs = isThere ? performance.now() - askedAt : undefined;
    const [health, rows] = await Promise.all([
      isThere ? readHealth() : undefined,
      readAll(tables, isThere),
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
    connections: oneAtATime(() => readConnections(db)),
    processes: oneAtATime(() => readProcesses(db)),
    quizzes: oneAtATime(() => readQuizActivity(db)),
    registered: oneAtATime(() => countRegistered(db)),
    priceOre: oneAtATime(async () => (await readSettings(db)).price_ore),
    settled: oneAtATime(() => countSettled(db)),
    reconciled: oneAtATime(() => readReconciled(db)),
    attention: oneAtATime(() => countAttention(db)),
    unknownIntents: oneAtATime(() => findUnknownIntents(db, UNKNOWN_DAYS)),
    webhook: oneAtATime(() => readWebhookHistory(db)),
    imports: oneAtATime(() => readImportActivity(db)),
    mails: oneAtATime(() => readMailActivity(db)),
    backup: oneAtATime(async () => ({ ageSeconds: await backupAgeSeconds(db) })),
    backlog: oneAtATime(() => readBacklog(db)),
    rejections: oneAtATime(() => readOpenRejections(db)),
  };
}

type Readers = ReturnType<typeof tableReaders>;
type Rows = { [Name in keyof Readers]: Awaited<ReturnType<Readers[Name]>> };

/** Nothing is asked of a database that is away: each question would wait for a connection. */
async function readAll(readers: Readers, isThere: boolean): Promise<Rows> {
  const read = async ([name, ask]: [string, () => Promise<unknown>]) => [
    name,
    isThere ? await ask() : undefined,
  ];
  return Object.fromEntries(await Promise.all(Object.entries(readers).map(read))) as Rows;
}

async function countJobs(queue: JobQueue): Promise<QueueCounts> {
  const [counts, isPaused] = await Promise.all([
    queue.getJobCounts('waiting', 'active', 'delayed', 'failed', 'prioritized'),
    queue.isPaused(),
  ]);
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts;
  return { waiting: waiting + prioritized, active, delayed, failed, isPaused };
}

/** Gives a call a timeout, and makes no other while it is under way. */
function oneAtATime<T>(ask: () => Promise<T>, ms = TIMEOUT_MS): () => Promise<T | undefined> {
  let asking: Promise<T> | undefined;
  return async () => {
    if (asking) return undefined;
    asking = ask();
    const end = () => {
      asking = undefined;
    };
    asking.then(end, end);
    return tryWithTimeout(ms, asking);
  };
}

interface Probed {
  /** Seconds since it last answered; null before the first time. */
  answeredSeconds: number | null;
  /** Why it did not, the last time; null when it did. */
  problem: string | null;
}

const PROBE_EVERY_MS = 60_000;

/**
 * Polls a service of others: at most once a minute, however often its state is read, and no reader
 * waits for the answer.
 *
 * @param ask returns what is wrong with the answer, if anything; throws where there is none
 */
function createProbe(ask: () => Promise<string | null>, everyMs = PROBE_EVERY_MS) {
  let askedAt = -Infinity;
  let answeredAt: number | null = null;
  let problem: string | null = null;

  async function probe(): Promise<void> {
    try {
      problem = await ask();
      if (problem === null) answeredAt = performance.now();
    } catch (error) {
      problem = reasonOf(error instanceof Error && error.cause ? error.cause : error);
    }
  }

  return (): Probed => {
    const now = performance.now();
    if (now - askedAt >= everyMs) {
      askedAt = now;
      void probe();
    }
    return { answeredSeconds: answeredAt === null ? null : (now - answeredAt) / 1000, problem };
  };
}
