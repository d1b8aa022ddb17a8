import pg from 'pg';
import { waitFor, type WaitOptions } from '#lifecycle/wait-for.ts';

/** Not there yet, or starting, or ending, or full: what passes by itself. By SQLSTATE, by system error. */
const PASSING = /^(08|57P0|53300|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/;
const CONNECT_MS = 5_000;

/**
 * Waits until a database takes connections.
 *
 * @throws at once what a longer wait would not mend, such as a wrong password
 */
export async function awaitDatabase(databaseUrl: string, options: WaitOptions): Promise<void> {
  let refused: unknown;
  const look = async () => {
    try {
      await connectOnce(databaseUrl);
    } catch (error) {
      if (mayPass(error)) throw error;
      refused = error;
    }
    return [];
  };
  await waitFor(look, options);
  if (refused) throw refused;
}

async function connectOnce(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
  });
  // Heard of by who connects.
  client.on('error', () => {});
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => {});
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(mayPass);
  const { code, message = '' } = error as { code?: string; message?: string };
  return code === undefined ? /timeout|terminated/i.test(message) : PASSING.test(code);
}
