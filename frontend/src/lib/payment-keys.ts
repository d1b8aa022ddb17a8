import { ApiError } from './api-error.ts';
import { randomUuid } from './random-uuid.ts';

/**
 * Idempotency keys of payments: one click is one payment, also with two tabs, a reload or lost answers. The
 * key is computed from the payment's content and a secret of this browser, so both give the same key again.
 * The content is not stored.
 */
interface Remembered {
  secret: string;
  /** When it expires (milliseconds since 1970). The server cancels an unpaid payment after a day. */
  until: number;
  /** A card was sent, and the outcome is not known yet. */
  unfinished?: boolean;
}

const STORED = 'payment';
const MAX_AGE_MS = 6 * 3_600_000;

// Used where storage is blocked: a key lasts as long as the page.
let here: Remembered | undefined;

function read(): Remembered | undefined {
  let found = here;
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? 'null') as Remembered | null;
    found = typeof stored?.secret === 'string' ? stored : undefined;
  } catch {
    // Storage is blocked, or its content is invalid.
  }
  if (found && found.until <= Date.now()) {
    forgetPayment();
    return undefined;
  }
  return found;
}

function write(next: Remembered): Remembered {
  here = next;
  try {
    localStorage.setItem(STORED, JSON.stringify(next));
  } catch {
    // Blocked or full.
  }
  // Another tab may have written first: both use what is stored now.
  return read() ?? next;
}

function remembered(): Remembered {
  return read() ?? write({ secret: randomUuid(), until: Date.now() + MAX_AGE_MS });
}

// Without a secure context there is no `crypto.subtle`: a key lasts as long as the page.
const keysHere = new Map<string, string>();

async function digest(text: string): Promise<string> {
  if (!crypto.subtle) {
    const key = keysHere.get(text) ?? randomUuid();
    keysHere.set(text, key);
    return key;
  }
  const bytes = new TextEncoder().encode(text);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The idempotency key of a payment. The same content has the same key. */
export async function paymentKey(content: unknown): Promise<string> {
  return digest(JSON.stringify([remembered().secret, content]));
}

/** Errors after which the key's payment can no longer be paid, so a new one must be started. */
const CLOSED_CODES = new Set(['payment_cancelled', 'payment_expired']);

/**
 * Starts a payment. Repeated with the same content, also by another tab or after a reload, the key is the same as
 * long as its payment can be paid.
 */
export async function withPaymentKey<Intent>(
  content: unknown,
  send: (idempotencyKey: string) => Promise<Intent>,
): Promise<Intent> {
  const key = await paymentKey(content);
  try {
    return await send(key);
  } catch (error) {
    if (!(error instanceof ApiError && CLOSED_CODES.has(error.code))) throw error;
    return send(await newPaymentKey(content, key));
  }
}

/** The key after the payment of `refused` is closed: a new one, or the one that another tab has already made. */
async function newPaymentKey(content: unknown, refused: string): Promise<string> {
  const current = await paymentKey(content);
  if (current !== refused) return current;
  forgetPayment();
  return paymentKey(content);
}

/** Called after a payment is made or closed, so that the next one gets another key. */
export function forgetPayment(): void {
  here = undefined;
  try {
    localStorage.removeItem(STORED);
  } catch {
    // Blocked.
  }
}

/** Stores that a card is being sent, so that a notice can be shown after a reload. */
export function notePaying(): void {
  write({ ...remembered(), unfinished: true });
}

/**
 * Removes the notice that a card was sent. The key stays, so a new attempt gets the same payment.
 */
export function forgetPaying(): void {
  const found = read();
  if (found) write({ secret: found.secret, until: found.until });
}

export function hasUnfinishedPayment(): boolean {
  return read()?.unfinished ?? false;
}
