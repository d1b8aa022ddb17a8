import type { LiveTopic } from '@proveklar/contract/events.ts';
import type { Transaction } from '#database/pool.ts';
import { requestContext } from '#tracing/request-context.ts';

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
export const LIVE_CHANNEL = 'live';

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
