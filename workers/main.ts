import closeWithGrace from 'close-with-grace';
import { board } from '@proveklar/operators/board.ts';
import { checkTables } from '@proveklar/operators/health.ts';
import { buildOperatorsApp, listenForOperators } from '@proveklar/operators/listener.ts';
import { workersMetrics } from '@proveklar/operators/metrics/process-metrics.ts';
import { statusRoutes } from '@proveklar/operators/status/page.ts';
import { createStatusReader } from '@proveklar/operators/status/status.ts';
import { parseConfig, WorkersConfig } from '@proveklar/services/config/config.ts';
import { awaitDatabase } from '@proveklar/services/database/await-database.ts';
import { readOpenRejections } from '@proveklar/services/events/rejected-events.ts';
import { beginAskingProvider } from '@proveklar/services/identity/credentials.ts';
import { waitFor } from '@proveklar/services/lifecycle/wait-for.ts';
import { createLogger, endOnFault } from '@proveklar/services/logging/logger.ts';
import { openTracing } from '@proveklar/services/tracing/tracing.ts';
import { openWorkers } from './start-workers.ts';

/** For the jobs under way (7.5 s), and for closing connections. */
const CLOSE_TIMEOUT_MS = 9_000;

const config = parseConfig(WorkersConfig);
const { LOG_LEVEL: level, VERSION: version } = config;
const log = createLogger({ kind: 'workers', level, version });
const isUp = endOnFault(log, 'The workers could not start');
const stopTracing = await openTracing('workers', config);
const workers = openWorkers(config, log);

/** Why they are not ready. */
let notReady: readonly string[] = ['it starts'];
const checks = { process: async () => notReady, ...workers.checks };
const { db, backend, queues } = workers;
const readStatus = createStatusReader({
  db,
  backend,
  queues,
  identity: {
    projectId: config.FIREBASE_PROJECT_ID,
    apiKey: config.FIREBASE_API_KEY,
    emulatorHost: config.FIREBASE_AUTH_EMULATOR_HOST,
  },
  isProduction: config.NODE_ENV === 'production',
});
const operators = await buildOperatorsApp({
  kind: 'workers',
  config,
  log,
  checks,
  registry: workersMetrics({ version, db, queues }),
  pages: [statusRoutes(readStatus), board(queues, () => readOpenRejections(db))],
});

// Jobs under way end first, or are put back; after the deadline the process ends all the same, and
// the worker that takes up the job finds what was committed. Readiness is answered to the last.
const stopping = new AbortController();
const { signal } = stopping;
closeWithGrace({ delay: CLOSE_TIMEOUT_MS, logger: log }, async ({ err }) => {
  if (err) log.fatal({ err }, 'The workers end because of an error that nobody caught');
  notReady = ['it ends'];
  stopping.abort();
  await workers.stop();
  await Promise.all([operators.close(), stopTracing()]);
});
isUp();

async function start(): Promise<void> {
  const port = await listenForOperators(operators, config);
  const say = (missing: readonly string[]) => log.warn({ missing }, 'waiting');
  const waitForTables = waitFor(checkTables(workers.db), { signal, say });
  const sayProvider = (missing: readonly string[]) =>
    log.warn({ missing }, 'Firebase has not let this process in yet');
  await Promise.all([
    waitForTables,
    beginAskingProvider(workers.identity, { signal, say: sayProvider }),
  ]);
  // Where the queues are in a PostgreSQL of their own. Redis needs no waiting.
  if (workers.backend.name === 'postgres') await awaitDatabase(config.QUEUE_URL, { signal, say });
  // The last look may have been answered after the signal to end.
  signal.throwIfAborted();
  workers.start();
  notReady = [];
  log.info({ queues: workers.backend.name, port }, 'workers ready');
}

await start().catch((error: unknown) => {
  // Otherwise it was told to end while it waited.
  if (!signal.aborted) throw error;
});
