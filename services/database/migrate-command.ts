import { parseConfig, MigrateConfig } from '#config/config.ts';
import { prepareQueueBackend } from '#events/queue-backend.ts';
import { migrate } from './migrate.ts';

// `node services/database/migrate-command.ts up|down [count]`
const [direction = 'up', count] = process.argv.slice(2);
if (direction !== 'up' && direction !== 'down') {
  process.stderr.write(`Say "up" or "down", not "${direction}".\n`);
  process.exit(2);
}
const config = parseConfig(MigrateConfig);
const applied = await migrate(config.DATABASE_URL, direction, count ? Number(count) : undefined);
for (const name of applied) process.stdout.write(`${direction} ${name}\n`);
if (direction === 'up') await prepareQueueBackend(config.QUEUE_URL);
