import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { checkReachable, checkTables } from '@proveklar/operators/health.ts';
import { buildOperatorsApp, listenForOperators } from '@proveklar/operators/listener.ts';
import { gatewayMetrics } from '@proveklar/operators/metrics/process-metrics.ts';
import { GatewayConfig, parseConfig } from '@proveklar/services/config/config.ts';
import { verifyCredentialsWithRetry } from '@proveklar/services/identity/credentials.ts';
import { waitFor } from '@proveklar/services/lifecycle/wait-for.ts';
import { exitOnUncaughtError, throttleErrors } from '@proveklar/services/logging/logger.ts';
import { openTracing } from '@proveklar/services/tracing/tracing.ts';
import { buildApp, gatewayLog } from './app.ts';
import { createDeps } from './deps.ts';

/** Time to close after draining: for requests in flight and for open connections. */
const CLOSE_TIMEOUT_MS = 7_000;

const config = parseConfig(GatewayConfig);
const log = gatewayLog(config);
const markStarted = exitOnUncaughtError(log, 'The gateway could not start');
const stopTracing = await openTracing('gateway', config);
const deps = createDeps(config, throttleErrors(log, 'database connection').onError);
const app = await buildApp(deps, log);

/** Reported by the readiness check; empty when the gateway takes requests. */
let notReadyReasons: readonly string[] = ['starting'];
const checks = {
  process: async () => notReadyReasons,
  database: checkReachable(deps.db),
  tables: checkTables(deps.db),
};
const operators = await buildOperatorsApp({
  kind: 'gateway',
  config,
  log,
  checks,
  registry: gatewayMetrics({
    version: config.VERSION,
    db: deps.db,
    countStreams: () => app.live.size,
    keys: deps.verifyToken.keys,
  }),
});

// Graceful shutdown: first the gateway drains (it keeps answering until load balancers notice that it is
// not ready), then it finishes the requests in flight. The process exits at the deadline in any case, and
// at once on a second signal.
const stopping = new AbortController();
const { signal } = stopping;
const delay = config.DRAIN_SECONDS * 1000 + CLOSE_TIMEOUT_MS;
closeWithGrace({ delay, logger: log }, async ({ err }) => {
  if (err) log.fatal({ err }, 'The gateway exits because of an uncaught error');
  notReadyReasons = ['shutting down'];
  stopping.abort();
  app.drain();
  if (!err && app.server.listening) await sleep(config.DRAIN_SECONDS * 1000);
  await app.close();
  await Promise.all([operators.close(), stopTracing()]);
});
markStarted();

/** Listens only once the gateway can answer: a proxy retries a refused connection elsewhere. */
async function start(): Promise<void> {
  await listenForOperators(operators, config);
  const waitForTables = waitFor(checks.tables, {
    signal,
    onMissing: (missing) => log.warn({ missing }, 'waiting'),
  });
  const warnProvider = (missing: readonly string[]) =>
    log.warn({ missing }, 'Firebase has not accepted the credentials yet');
  await Promise.all([
    waitForTables,
    verifyCredentialsWithRetry(deps.identity, { signal, onMissing: warnProvider }),
  ]);
  // A shutdown may have begun during the last wait.
  signal.throwIfAborted();
  // With Node's backlog of 511, a burst while the process is busy would lose connections.
  await app.listen({ host: config.HOST, port: config.PORT, backlog: config.MAX_CONNECTIONS });
  notReadyReasons = [];
}

await start().catch((error: unknown) => {
  // An aborted signal means that a shutdown began during the start.
  if (!signal.aborted) throw error;
});
