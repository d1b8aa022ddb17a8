import { MigrateConfig, parseConfig } from './config/config.ts';
import { prepareQueueBackend } from './events/queue-backend.ts';
import { awaitDatabase } from './database/await-database.ts';
import { migrate } from './database/migrate.ts';

/** A server that was started beside us, or that recovers after a crash, is there by then. */
const PATIENCE_MS = 60_000;

// `node services/migrate-command.ts up|down [count]`
const [direction = 'up', count] = process.argv.slice(2);
if (direction !== 'up' && direction !== 'down') {
  process.stderr.write(`Say "up" or "down", not "${direction}".\n`);
  process.exit(2);
}
const config = parseConfig(MigrateConfig);
const say = (missing: readonly string[]) =>
  process.stdout.write(`waiting for the database: ${missing.join('; ')}\n`);
await awaitDatabase(config.DATABASE_URL, { say, patienceMs: PATIENCE_MS });
// First, so that whoever waits for our tables finds those of the queues too.
if (direction === 'up') await prepareQueueBackend(config.QUEUE_URL);
const applied = await migrate(config.DATABASE_URL, direction, count ? Number(count) : undefined);
for (const name of applied) process.stdout.write(`${direction} ${name}\n`);
