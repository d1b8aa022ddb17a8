import { DatabaseConfig, parseConfig } from '@proveklar/services/config/config.ts';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import { handleRejected } from './handle-rejected.ts';

// `node workers/events/events-command.ts list|retry|dismiss`: `npm run events`, where nothing but
// DATABASE_URL is needed.
let db: Database | undefined;
const open = async () => {
  const { DATABASE_URL } = parseConfig(DatabaseConfig);
  db = createPool(DATABASE_URL, { applicationName: 'events', max: 2 });
  return db;
};
const { code, text } = await handleRejected(process.argv.slice(2), open);
(code === 0 ? process.stdout : process.stderr).write(text);
process.exitCode = code;
await db?.end();
