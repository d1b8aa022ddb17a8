import closeWithGrace from 'close-with-grace';
import { board } from '@proveklar/operators/board.ts';
import { checkTables } from '@proveklar/operators/health.ts';
import { buildOperatorsApp, listenForOperators } from '@proveklar/operators/listener.ts';
import { workersMetrics } from '@proveklar/operators/metrics/process-metrics.ts';
import { statusRoutes } from '@proveklar/operators/status/page.ts';
import { createStatusReader, recordStatus } from '@proveklar/operators/status/status.ts';
import { parseConfig, WorkersConfig } from '@proveklar/services/config/config.ts';
import { awaitDatabase } from '@proveklar/services/database/await-database.ts';
import { setQueuesPaused } from '@proveklar/services/events/queue-pauses.ts';
import { readOpenRejections } from '@proveklar/services/events/rejected-events.ts';
import { verifyCredentialsWithRetry } from '@proveklar/services/identity/credentials.ts';
import { waitFor } from '@proveklar/services/lifecycle/wait-for.ts';
import { createLogger, exitOnUncaughtError } from '@proveklar/services/logging/logger.ts';
import { openTracing } from '@proveklar/services/tracing/tracing.ts';
import { openWorkers } from './start-workers.ts';

/** Time to close: for running jobs (7.5 s), and for open connections. */
const CLOSE_TIMEOUT_MS = 9_000;

const config = parseConfig(WorkersConfig);
const { LOG_LEVEL: level, VERSION: version } = config;
const log = createLogger({ kind: 'workers', level, version });
const markStarted = exitOnUncaughtError(log, 'The workers could not start');
const stopTracing = await openTracing('workers', config);
const workers = openWorkers(config, log);

/** Also how fresh the status in the portal is. */
const STATUS_INTERVAL_MS = 10_000;

/** Reported by the readiness check; empty when the workers take jobs. */
let notReadyReasons: readonly string[] = ['starting'];
const checks = { process: async () => notReadyReasons, ...workers.checks };
const { db, backend, queues } = workers;
const readStatus = createStatusReader({
  db,
  backend,
  queues,
  identity: {
    projectId: config.FIREBASE_PROJECT_ID,
    apiKey: config.FIREBASE_API_KEY,
    page: config.PUBLIC_URL,
    emulatorHost: config.FIREBASE_AUTH_EMULATOR_HOST,
  },
  isProduction: config.NODE_ENV === 'production',
});
const recording = setInterval(() => void recordStatus(db, readStatus), STATUS_INTERVAL_MS);
const operators = await buildOperatorsApp({
  kind: 'workers',
  config,
  log,
  checks,
  registry: workersMetrics({ version, db, queues }),
  pages: [
    statusRoutes(readStatus),
    board(
      queues,
      () => readOpenRejections(db),
      (change) => setQueuesPaused(db, { ...change, by: 'operator' }),
    ),
  ],
});

// Graceful shutdown: the workers drain, so running jobs end or are requeued. At the deadline the process
// exits in any case, and the next worker resumes from what was committed. The readiness check answers until
// the end.
const stopping = new AbortController();
const { signal } = stopping;
closeWithGrace({ delay: CLOSE_TIMEOUT_MS, logger: log }, async ({ err }) => {
  if (err) log.fatal({ err }, 'The workers exit because of an uncaught error');
  notReadyReasons = ['shutting down'];
  stopping.abort();
  clearInterval(recording);
  await workers.stop();
  await Promise.all([operators.close(), stopTracing()]);
});
markStarted();

async function start(): Promise<void> {
  const port = await listenForOperators(operators, config);
  const onMissing = (missing: readonly string[]) => log.warn({ missing }, 'waiting');
  const waitForTables = waitFor(checkTables(workers.db), { signal, onMissing });
  const warnProvider = (missing: readonly string[]) =>
    log.warn({ missing }, 'Firebase has not accepted the credentials of this process yet');
  await Promise.all([
    waitForTables,
    verifyCredentialsWithRetry(workers.identity, { signal, onMissing: warnProvider }),
  ]);
  // The queues may be in their own PostgreSQL server. Redis needs no waiting.
  if (workers.backend.name === 'postgres')
    await awaitDatabase(config.QUEUE_URL, { signal, onMissing });
  // The last check may have succeeded after the signal to stop.
  signal.throwIfAborted();
  workers.start();
  notReadyReasons = [];
  log.info({ queues: workers.backend.name, port }, 'workers ready');
}

await start().catch((error: unknown) => {
  // An abort while waiting is a normal stop.
  if (!signal.aborted) throw error;
});
