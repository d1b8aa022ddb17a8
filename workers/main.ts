import closeWithGrace from 'close-with-grace';
import pino from 'pino';
import { buildOperatorsApp, listenForOperators } from '@proveklar/operators/listener.ts';
import { parseConfig, WorkersConfig } from '@proveklar/services/config/config.ts';
import { createMetrics } from '@proveklar/operators/metrics.ts';
import { startWorkers } from './start-workers.ts';

const config = parseConfig(WorkersConfig);
const log = pino({ level: config.LOG_LEVEL ?? 'info' });
const workers = await startWorkers(config, log);
const operators = await buildOperatorsApp({
  kind: 'workers',
  config,
  log,
  checks: workers.checks,
  registry: createMetrics(workers.db, workers.queues),
});
const port = await listenForOperators(operators, config);
log.info({ queues: workers.backend.name, port }, 'workers ready');

// Jobs under way are finished first; after eight seconds the process ends all the same, and whoever
// takes up the job finds what was committed.
closeWithGrace({ delay: 8_000, logger: log }, async ({ err }) => {
  if (err) log.fatal({ err }, 'The workers end because of an error that nobody caught');
  await operators.close();
  await workers.stop();
});
