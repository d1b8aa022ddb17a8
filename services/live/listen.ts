import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { backoff } from '#lifecycle/backoff.ts';
import { inTime } from '#lifecycle/in-time.ts';
import { LIVE_CHANNEL, type LiveMessage, parseMessages } from './notify.ts';

export interface LiveListenerOptions {
  databaseUrl: string;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  onMessages: (messages: LiveMessage[]) => void;
  /** Listening begins, or begins again: whatever happened until now may have been missed. */
  onResync: () => void;
  /** Hears of lost connections; they are made anew by themselves. */
  onError: (error: Error) => void;
}

export interface LiveListener {
  close: () => Promise<void>;
}

const CONNECT_MS = 5_000;
/** A connection that a firewall dropped says nothing: it is asked. */
const HEARTBEAT_MS = 30_000;
const ANSWER_MS = 5_000;
/** Jitter: not all gateways come back in the same moment. */
const RECONNECT = { min: 250, max: 10_000, jitter: [0.5, 1] } as const;
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Listens on a connection of its own, until it is closed. It needs a session that lasts: an address
 * that leads to a pooler of transactions would not do.
 */
export function listenLive(options: LiveListenerOptions): LiveListener {
  const stopping = new AbortController();
  const listening = keepListening(options, stopping.signal);
  return {
    close: async () => {
      stopping.abort();
      await listening;
    },
  };
}

async function keepListening(options: LiveListenerOptions, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const connected = () => {
      failures = 0;
      options.onResync();
    };
    try {
      await listenUntilLost(options, signal, connected);
    } catch (error) {
      if (signal.aborted) return;
      options.onError(error as Error);
    }
    await sleep(backoff(failures, RECONNECT), undefined, { signal }).catch(() => {});
    failures += 1;
  }
}

async function listenUntilLost(
  { databaseUrl, applicationName, onMessages, onError }: LiveListenerOptions,
  signal: AbortSignal,
  connected: () => void,
): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
  });
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  const stop = () => lose(new Error('closed'));
  // Nobody may be waiting for it in the moment when it is lost.
  lost.catch(() => {});
  client.on('error', lose);
  client.on('end', () => lose(new Error('The server ended the listening connection')));
  client.on('notification', ({ payload }) => {
    try {
      onMessages(parseMessages(payload ?? ''));
    } catch (error) {
      onError(error as Error);
    }
  });
  signal.addEventListener('abort', stop);
  try {
    await Promise.race([client.connect(), lost]);
    await client.query(`listen ${LIVE_CHANNEL}`);
    connected();
    await Promise.race([lost, beat(client, signal)]);
  } finally {
    signal.removeEventListener('abort', stop);
    // A server that is gone does not say goodbye.
    await inTime(CLOSE_TIMEOUT_MS, client.end());
  }
}

/** @throws when the server does not answer in time */
async function beat(client: pg.Client, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(HEARTBEAT_MS, undefined, { signal });
    await client.query('select 1');
  }
}
