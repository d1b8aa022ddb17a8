import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { databaseErrors } from '#counters/counters.ts';

/** SQLSTATE of a connection that failed. */
const CONNECTION_FAILURE = '08006';

/** A connection that counts the errors that come over it, also those before anybody may query. */
export class CountedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The driver's types leave it out: the protocol itself, where each error passes once.
    const { connection } = this as unknown as { connection: EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      databaseErrors.inc({ sqlstate: code ?? 'unknown' });
    });
    connection.on('error', () => databaseErrors.inc({ sqlstate: CONNECTION_FAILURE }));
  }
}
