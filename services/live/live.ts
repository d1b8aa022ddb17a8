import type { LiveTopic } from '@proveklar/contract/live-updates.ts';
import type { Transaction } from '#database/pool.ts';
import { requestContext } from '#tracing/request-context.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { backoff } from '#lifecycle/backoff.ts';
import { tryWithTimeout } from '#lifecycle/try-with-timeout.ts';

/** PostgreSQL accepts NOTIFY payloads shorter than 8000 bytes. */
const MAX_PAYLOAD_BYTES = 7_999;

/**
 * Notifies all gateways, when this transaction commits, of what clients should read again.
 *
 * Transactions with NOTIFY commit one after the other, in the whole server (14,300 inserts a second without it,
 * 4,600 with it). So no learner's request uses it: workers do, once for each batch, and administrators' edits of a
 * question.
 */
export async function notifyLive(tx: Transaction, messages: readonly LiveMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await tx.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
    LIVE_CHANNEL,
    toPayloads(messages.map(withRequest)),
  ]);
}

function withRequest(message: LiveMessage): LiveMessage {
  const context = requestContext();
  return context ? { ...message, request_id: context.request_id } : message;
}

/** Packs messages without duplicates into as few payloads as possible. */
function toPayloads(messages: readonly LiveMessage[]): string[] {
  const payloads: string[] = [];
  let packed = '';
  for (const text of new Set(messages.map((message) => JSON.stringify(message)))) {
    const longer = packed ? `${packed},${text}` : text;
    if (packed && Buffer.byteLength(longer) + '[]'.length > MAX_PAYLOAD_BYTES) {
      payloads.push(`[${packed}]`);
      packed = text;
    } else {
      packed = longer;
    }
  }
  return [...payloads, `[${packed}]`];
}

/**
 * Who receives a topic: the streams of one account, or those of all admins. A new topic is added in
 * `contract/live-updates.ts`; the compiler then requires its line here and, in the frontend, the queries that
 * it invalidates.
 */
const AUDIENCES = {
  /** The account's service or settings changed. */
  account: 'account',
  /** Answers or selections were counted. */
  statistics: 'admins',
  /** An import has progressed. */
  imports: 'admins',
  /** Questions were reported, or reports closed or opened again. */
  feedback: 'admins',
  /** Questions of the bank changed. */
  questions: 'admins',
  /** A payment was created, settled or changed. */
  payments: 'admins',
  /** A message to learners was sent to one more of them. */
  messages: 'admins',
} as const satisfies Record<LiveTopic, 'account' | 'admins'>;

type TopicFor<A extends 'account' | 'admins'> = {
  [T in LiveTopic]: (typeof AUDIENCES)[T] extends A ? T : never;
}[LiveTopic];

/** A hint that something changed and should be read again. It never contains the new state. */
export type LiveMessage = AccountMessage | AdminsMessage;
interface FromRequest {
  /** The request that caused it, if any, to trace it up to the screen. */
  request_id?: string;
}
interface AdminsMessage extends FromRequest {
  topic: TopicFor<'admins'>;
}
interface AccountMessage extends FromRequest {
  topic: TopicFor<'account'>;
  account_id: string;
}

/** Whether a message is for one account; all others are for admins. */
export function isForAccount(message: LiveMessage): message is AccountMessage {
  return AUDIENCES[message.topic] === 'account';
}

/** The PostgreSQL channel for NOTIFY and LISTEN. */
const LIVE_CHANNEL = 'live';

/**
 * Parses a payload of the channel: a list of messages. Unknown messages are left out, because during a
 * deployment the workers may be newer than this gateway.
 *
 * @throws SyntaxError when the payload is not JSON
 */
export function parseMessages(payload: string): LiveMessage[] {
  const list: unknown = JSON.parse(payload);
  return Array.isArray(list) ? list.filter(isMessage) : [];
}

function isMessage(value: unknown): value is LiveMessage {
  const { topic, account_id } = (value ?? {}) as Record<string, unknown>;
  if (typeof topic !== 'string' || !Object.hasOwn(AUDIENCES, topic)) return false;
  return AUDIENCES[topic as LiveTopic] !== 'account' || typeof account_id === 'string';
}

interface LiveListenerOptions {
  databaseUrl: string;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  onMessages: (messages: LiveMessage[]) => void;
  /** Called on connect and on every reconnect: earlier messages may have been missed. */
  onResync: () => void;
  /** Called when the connection is lost, or a payload is invalid. The listener reconnects automatically. */
  onError: (error: Error) => void;
}

export interface LiveListener {
  close: () => Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A connection that a firewall dropped stays silent; the heartbeat detects it. */
const HEARTBEAT_INTERVAL_MS = 30_000;
const QUERY_TIMEOUT_MS = 5_000;
/** Jitter, so that the gateways do not all reconnect at the same moment. */
const RECONNECT_BACKOFF = { min: 250, max: 10_000, jitter: [0.5, 1] } as const;
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Listens on its own connection until it is closed. LISTEN needs a lasting session, so the address must not
 * be that of a transaction pooler such as PgBouncer.
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
    const onConnected = () => {
      failures = 0;
      options.onResync();
    };
    try {
      await listenUntilLost(options, signal, onConnected);
    } catch (error) {
      if (signal.aborted) return;
      options.onError(error as Error);
    }
    await sleep(backoff(failures, RECONNECT_BACKOFF), undefined, { signal }).catch(() => {});
    failures += 1;
  }
}

async function listenUntilLost(
  { databaseUrl, applicationName, onMessages, onError }: LiveListenerOptions,
  signal: AbortSignal,
  onConnected: () => void,
): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  });
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  const stop = () => lose(new Error('closed'));
  // Prevents an unhandled rejection when nothing awaits the promise at that moment.
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
    onConnected();
    await Promise.race([lost, sendHeartbeats(client, signal)]);
  } finally {
    signal.removeEventListener('abort', stop);
    // A dead server does not answer to the end of the session.
    await tryWithTimeout(CLOSE_TIMEOUT_MS, client.end());
  }
}

/** @throws when the server does not answer in time */
async function sendHeartbeats(client: pg.Client, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(HEARTBEAT_INTERVAL_MS, undefined, { signal });
    await client.query('select 1');
  }
}
