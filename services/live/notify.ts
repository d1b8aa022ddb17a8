import type { Transaction } from '#database/pool.ts';
import { requestContext } from '#tracing/request-context.ts';
import { LIVE_CHANNEL, type LiveMessage } from './messages.ts';

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
