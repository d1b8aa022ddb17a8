import pg from 'pg';
import { waitFor, type WaitOptions } from '#lifecycle/wait-for.ts';

/** Transient errors, by SQLSTATE or system error: unreachable, starting, stopping or out of connections. */
const TRANSIENT = /^(08|57P0|53300|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Waits until a database accepts connections.
 *
 * @throws a permanent error at once, such as a wrong password
 */
export async function awaitDatabase(databaseUrl: string, options: WaitOptions): Promise<void> {
  let permanentError: unknown;
  const check = async () => {
    try {
      await connectOnce(databaseUrl);
    } catch (error) {
      if (isTransient(error)) throw error;
      permanentError = error;
    }
    return [];
  };
  await waitFor(check, options);
  if (permanentError) throw permanentError;
}

async function connectOnce(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // `connect` rejects with the same error.
  client.on('error', () => {});
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => {});
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isTransient);
  const { code, message = '' } = error as { code?: string; message?: string };
  return code === undefined ? /timeout|terminated/i.test(message) : TRANSIENT.test(code);
}
