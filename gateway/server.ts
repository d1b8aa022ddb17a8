import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { checkReachable, checkTables } from '@proveklar/operators/health.ts';
import { buildOperatorsApp, listenForOperators } from '@proveklar/operators/listener.ts';
import { gatewayMetrics } from '@proveklar/operators/metrics/process-metrics.ts';
import { GatewayConfig, parseConfig } from '@proveklar/services/config/config.ts';
import { verifyCredentialsWithRetry } from '@proveklar/services/identity/credentials.ts';
import { waitFor } from '@proveklar/services/lifecycle/wait-for.ts';
import { endOnFault, throttleErrors } from '@proveklar/services/logging/logger.ts';
import { openTracing } from '@proveklar/services/tracing/tracing.ts';
import { buildApp, gatewayLog } from './app.ts';
import { createDeps } from './deps.ts';

/** After draining: for the requests under way, and for saying goodbye. */
const CLOSE_MS = 7_000;

const config = parseConfig(GatewayConfig);
const log = gatewayLog(config);
const isUp = endOnFault(log, 'The gateway could not start');
const stopTracing = await openTracing('gateway', config);
const deps = createDeps(config, throttleErrors(log, 'database connection').onError);
const app = await buildApp(deps, log);

/** What keeps it from taking requests. */
let holdUp: readonly string[] = ['it starts'];
const checks = {
  process: async () => holdUp,
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

// First it goes on answering, until whoever balances has noticed that it is not ready any more; then
// the requests under way are answered. After the deadline the process ends all the same, and at a
// second signal at once.
const stopping = new AbortController();
const { signal } = stopping;
const delay = config.DRAIN_SECONDS * 1000 + CLOSE_MS;
closeWithGrace({ delay, logger: log }, async ({ err }) => {
  if (err) log.fatal({ err }, 'The gateway ends because of an error that nobody caught');
  holdUp = ['it ends'];
  stopping.abort();
  app.drain();
  if (!err && app.server.listening) await sleep(config.DRAIN_SECONDS * 1000);
  await app.close();
  await Promise.all([operators.close(), stopTracing()]);
});
isUp();

/** Nobody reaches it before it can answer: a proxy takes a connection that is refused elsewhere. */
async function start(): Promise<void> {
  await listenForOperators(operators, config);
  const waitForTables = waitFor(checks.tables, {
    signal,
    onMissing: (missing) => log.warn({ missing }, 'waiting'),
  });
  const warnProvider = (missing: readonly string[]) =>
    log.warn({ missing }, 'Firebase has not let this process in yet');
  await Promise.all([
    waitForTables,
    verifyCredentialsWithRetry(deps.identity, { signal, onMissing: warnProvider }),
  ]);
  // The last look may have been answered after somebody has ended it.
  signal.throwIfAborted();
  await app.listen({ host: config.HOST, port: config.PORT });
  holdUp = [];
}

await start().catch((error: unknown) => {
  // Otherwise somebody has ended it while it waited.
  if (!signal.aborted) throw error;
});
