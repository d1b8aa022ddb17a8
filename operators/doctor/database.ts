import {
  backupAgeSeconds,
  checkDatabase,
  MIN_POSTGRES_VERSION,
  readOffsiteBackups,
} from '@proveklar/services/database/check-database.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import { fault, type Finding, ok, unchecked, warning } from '#status/finding.ts';
import { evaluateBackup, evaluateOffsite } from '#status/evaluate-service.ts';
import { type Check, compareClocks, withDatabase } from './installation.ts';

/** PostgreSQL: version, encoding, migrations and clock. */
export const database: Check = {
  name: 'Database',
  async run({ db, isProduction }) {
    if (!db) return [unchecked('DATABASE_URL is not set')];
    let facts;
    try {
      facts = await checkDatabase(db);
    } catch (error) {
      return [
        fault(
          `PostgreSQL does not answer: ${reasonOf(error)}`,
          isProduction
            ? 'Start PostgreSQL, or correct DATABASE_URL.'
            : 'Start the local stack with npm start, or correct DATABASE_URL.',
        ),
      ];
    }
    const { version, major, encoding, aheadMs, migrations } = facts;
    return [
      major >= MIN_POSTGRES_VERSION
        ? ok(`PostgreSQL ${version}`)
        : fault(
            `PostgreSQL ${version} is older than ${MIN_POSTGRES_VERSION}`,
            `Move the data to PostgreSQL ${MIN_POSTGRES_VERSION} with pg_dump and pg_restore.`,
          ),
      encoding === 'UTF8'
        ? ok('encoding UTF8')
        : fault(
            `the database's encoding is ${encoding}: letters would be counted and sorted wrongly`,
            "Create a new database with create database … encoding 'UTF8' template template0, and restore the data into it.",
          ),
      evaluateMigrations(migrations),
      compareClocks('PostgreSQL', aheadMs),
    ];
  },
};

function evaluateMigrations({
  missing,
  unknown,
}: Record<'missing' | 'unknown', string[]>): Finding {
  const [first] = missing;
  if (first !== undefined) {
    return fault(
      `${missing.length} migrations are not applied, the first is ${first}`,
      'Run docker compose run --rm migrate (locally npm start does it).',
    );
  }
  if (unknown.length > 0) {
    return warning(
      `migrated by a newer version: ${unknown.join(', ')}`,
      'Deploy the newer version again, unless the rollback was on purpose.',
    );
  }
  return ok('all migrations are applied');
}

/** Whether there is a recent backup, here and off this machine. */
export const backup: Check = {
  name: 'Backup',
  run: (installation) =>
    withDatabase(installation, async (db) => [
      evaluateBackup(await backupAgeSeconds(db), installation.isProduction),
      ...evaluateOffsite(await readOffsiteBackups(db), installation.isProduction),
    ]),
};
