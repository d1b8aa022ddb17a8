import { MigrateConfig, parseConfig } from './config/config.ts';
import { prepareQueueBackend } from './events/queue-backend.ts';
import { awaitDatabase } from './database/await-database.ts';
import { migrate } from './database/migrate.ts';

/** Enough for a server that starts at the same time or recovers from a crash. */
const DATABASE_TIMEOUT_MS = 60_000;

// `node services/migrate-command.ts up|down [count]`
const [direction = 'up', count] = process.argv.slice(2);
if (direction !== 'up' && direction !== 'down') {
  process.stderr.write(`Say "up" or "down", not "${direction}".\n`);
  process.exit(2);
}
const config = parseConfig(MigrateConfig);
const onMissing = (missing: readonly string[]) =>
  process.stdout.write(`waiting for the database: ${missing.join('; ')}\n`);
await awaitDatabase(config.DATABASE_URL, { onMissing, timeoutMs: DATABASE_TIMEOUT_MS });
// The queues' tables first: processes wait for ours, and then find both.
if (direction === 'up') await prepareQueueBackend(config.QUEUE_URL);
const applied = await migrate(config.DATABASE_URL, direction, count ? Number(count) : undefined);
for (const name of applied) process.stdout.write(`${direction} ${name}\n`);
