import { fileURLToPath } from 'node:url';
import { runner, type RunnerOption } from 'node-pg-migrate';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * Applies the migrations to a database, all in one transaction and under an advisory lock, so that
 * several processes may start at once: the others wait.
 *
 * @param count how many to apply; by default all when going up and one when going down
 * @returns the names of the migrations that were applied
 */
export async function migrate(
  databaseUrl: string,
  direction: 'up' | 'down' = 'up',
  count?: number,
): Promise<string[]> {
  const options: RunnerOption = {
    databaseUrl,
    dir: MIGRATIONS_DIR,
    ignorePattern: '(\\..*|.*\\.md|schema\\.txt)',
    migrationsTable: 'migration',
    direction,
    advisoryLockMode: 'wait',
    log: () => {},
  };
  if (count !== undefined) options.count = count;
  const applied = await runner(options);
  return applied.map((migration) => migration.name);
}
