import type { LiveTopic } from '@proveklar/contract/events.ts';
import type { Transaction } from '#database/pool.ts';
import { requestContext } from '#tracing/request-context.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { backoff } from '#lifecycle/backoff.ts';
import { tryWithTimeout } from '#lifecycle/try-with-timeout.ts';

/** PostgreSQL takes payloads shorter than 8000 bytes. */
const MOST_BYTES = 7_999;

/**
 * Tells every gateway, once this transaction has committed, what clients should read again.
 *
 * For workers only, once for each batch: a transaction that notifies takes a lock on the whole
 * database when it commits (14,300 inserts a second without it, 4,600 with it), which no learner's
 * request may wait for.
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

/** Packs messages, each once, into as few payloads as hold them. */
function toPayloads(messages: readonly LiveMessage[]): string[] {
  const payloads: string[] = [];
  let packed = '';
  for (const text of new Set(messages.map((message) => JSON.stringify(message)))) {
    const longer = packed ? `${packed},${text}` : text;
    if (packed && Buffer.byteLength(longer) + '[]'.length > MOST_BYTES) {
      payloads.push(`[${packed}]`);
      packed = text;
    } else {
      packed = longer;
    }
  }
  return [...payloads, `[${packed}]`];
}

/**
 * Whom a topic may concern: an account's own streams, or admins'. A new topic is added to the contract
 * (`contract/events.ts`); the compiler then asks for its line here, and the frontend for the queries
 * that it makes out of date.
 */
const AUDIENCES = {
  /** The account's service or settings changed. */
  account: 'account',
  /** Answers or selections were counted. */
  statistics: 'admins',
  /** An import has come further. */
  imports: 'admins',
  /** Somebody reported something about a question. */
  feedback: 'admins',
  /** Questions of the bank were changed in the background. */
  questions: 'admins',
  /** A payment was begun or settled, or something became of it. */
  payments: 'admins',
} as const satisfies Record<LiveTopic, 'account' | 'admins'>;

type TopicFor<A extends 'account' | 'admins'> = {
  [T in LiveTopic]: (typeof AUDIENCES)[T] extends A ? T : never;
}[LiveTopic];

/** A hint that something changed and should be read again. It never says what it is now. */
export type LiveMessage = AccountMessage | AdminsMessage;
interface FromRequest {
  /** The request that caused it, where it is one: so that it can be followed up to the screen. */
  request_id?: string;
}
interface AdminsMessage extends FromRequest {
  topic: TopicFor<'admins'>;
}
interface AccountMessage extends FromRequest {
  topic: TopicFor<'account'>;
  account_id: string;
}

/** Whether a message is for one account alone; any other is for admins. */
export function isForAccount(message: LiveMessage): message is AccountMessage {
  return AUDIENCES[message.topic] === 'account';
}

/** The PostgreSQL channel that carries them. */
const LIVE_CHANNEL = 'live';

/**
 * Reads what came over the channel: a list of messages. What this version does not know is left
 * out, because during a deployment the workers may already be newer.
 *
 * @throws SyntaxError when it is no JSON
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
    await tryWithTimeout(CLOSE_TIMEOUT_MS, client.end());
  }
}

/** @throws when the server does not answer in time */
async function beat(client: pg.Client, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(HEARTBEAT_MS, undefined, { signal });
    await client.query('select 1');
  }
}
