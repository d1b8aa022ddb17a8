import type { Logger } from 'pino';
import { checkReachable, checkTables, type HealthChecks } from '@proveklar/operators/health.ts';
import type { WorkersConfig } from '@proveklar/services/config/config.ts';
import { createPool } from '@proveklar/services/database/pool.ts';
import { startHeartbeat } from '@proveklar/services/database/processes.ts';
import { type QueueName, QUEUES } from '@proveklar/services/events/catalogue.ts';
import {
  type JobQueue,
  type JobWorker,
  openQueueBackend,
} from '@proveklar/services/events/queue-backend.ts';
import {
  createQueueHealth,
  type QueueHealthDeps,
} from '@proveklar/services/events/queue-health.ts';
import { startRelay } from '@proveklar/services/events/relay.ts';
import { RetryLater, runConsumer } from '@proveklar/services/events/run-consumer.ts';
import { tryWithTimeout } from '@proveklar/services/lifecycle/try-with-timeout.ts';
import { throttleErrors } from '@proveklar/services/logging/logger.ts';
import { createMailer } from '@proveklar/services/mail/send-mail.ts';
import { createPaymentDeps } from '@proveklar/services/payments/create-payment-deps.ts';
import { analysisConsumer } from './analysis.ts';
import { changesConsumer } from './changes.ts';
import { importsConsumer } from './imports.ts';
import { liveConsumer } from './live.ts';
import { mailConsumer } from './mail.ts';
import { nearDuplicatesConsumer } from './near-duplicates.ts';
import { paymentsConsumer } from './payments.ts';
import { regradesConsumer } from './regrades.ts';
import { startLearningRebuild, startSchedules } from './schedules.ts';
import { statisticsConsumer } from './statistics.ts';

/** How long running jobs, the relay and the schedules may take to end. */
const JOBS_TIMEOUT_MS = 5_500;
const CLOSE_TIMEOUT_MS = 1_000;

/** Connects to everything that workers need. They take no job before `start`. */
export function openWorkers(config: WorkersConfig, log: Logger) {
  const db = createPool(
    config.DATABASE_URL,
    { applicationName: 'workers', max: config.DATABASE_POOL },
    throttleErrors(log, 'database connection').onError,
  );
  const backend = openQueueBackend(config.QUEUE_URL, throttleErrors(log, 'queue connection'));
  const payments = createPaymentDeps(config, db);
  const { identity, withdrawalKey } = payments;
  const mailer = createMailer({
    smtpUrl: config.SMTP_URL,
    from: config.MAIL_FROM,
    replyTo: config.SUPPORT_EMAIL,
    requireTls: config.NODE_ENV === 'production',
  });
  const addresses = { publicUrl: config.PUBLIC_URL, supportEmail: config.SUPPORT_EMAIL };

  // Opened by `start`, because they query their tables at once.
  const queues = new Map<QueueName, JobQueue>();
  const stopping = new AbortController();
  const deps = { db, backend, queues, log, stopping: stopping.signal };
  const graceMs = config.REGISTRATION_GRACE_SECONDS * 1000;
  const workers: JobWorker[] = [];
  const feeders: { stop: () => Promise<void> }[] = [];

  return {
    db,
    backend,
    identity,
    queues,
    checks: workersChecks({ db, backend, queues, workers }),
    /** Starts the consumers of all queues. Requires the tables of the queues and the database. */
    start(): void {
      for (const name of QUEUES) queues.set(name, backend.openQueue(name));
      feeders.push(
        startRelay(deps),
        startSchedules(deps),
        startLearningRebuild(deps),
        startHeartbeat(db, { kind: 'workers', version: config.VERSION }),
      );
      workers.push(
        runConsumer(deps, liveConsumer),
        runConsumer(deps, statisticsConsumer),
        runConsumer(deps, importsConsumer(db)),
        runConsumer(deps, analysisConsumer(db)),
        runConsumer(deps, changesConsumer(db, config.BANK_DIR)),
        runConsumer(deps, nearDuplicatesConsumer(db)),
        runConsumer(deps, paymentsConsumer(payments, graceMs)),
        runConsumer(deps, regradesConsumer(db)),
        runConsumer(deps, mailConsumer({ db, mailer, addresses, identity, withdrawalKey })),
      );
    },
    /**
     * Drains: takes no more jobs and lets the running ones end. Long jobs stop after their current part
     * and are requeued. Takes at most 7.5 s; another worker then restarts unfinished jobs.
     */
    async stop(): Promise<void> {
      stopping.abort(new RetryLater(0));
      const ends = [
        ...workers.map((worker) => worker.close()),
        ...feeders.map((feeder) => feeder.stop()),
      ];
      // Closing may hang while the queue is down.
      await tryWithTimeout(JOBS_TIMEOUT_MS, Promise.all(ends));
      const closing = [...queues.values()].map((queue) => queue.close());
      await tryWithTimeout(
        CLOSE_TIMEOUT_MS,
        Promise.all(closing).then(() => backend.close()),
      );
      await tryWithTimeout(CLOSE_TIMEOUT_MS, db.end());
    },
  };
}

interface WorkersHealthDeps extends QueueHealthDeps {
  workers: readonly JobWorker[];
}

/**
 * The readiness checks of a worker process, which include canary events through every queue. A gateway
 * does not check the queues: it only writes to the outbox.
 */
function workersChecks({ workers, ...deps }: WorkersHealthDeps): HealthChecks {
  const readQueueHealth = createQueueHealth(deps);
  return {
    database: checkReachable(deps.db),
    tables: checkTables(deps.db),
    workers: async () => checkRunning(workers),
    queues: async () => (await readQueueHealth()).problems,
  };
}

function checkRunning(workers: readonly JobWorker[]): string[] {
  const idle = workers.filter((worker) => !worker.isRunning()).map(({ name }) => name);
  return idle.length > 0 ? [`no worker of this process works on ${idle.join(', ')}`] : [];
}
