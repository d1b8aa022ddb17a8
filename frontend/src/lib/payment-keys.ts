import { randomUuid } from './random-uuid.ts';

/**
 * One click is one payment, also with two tabs, a reload and lost answers: the key of a content is
 * computed from it and from a secret of this browser, and is the same wherever both are. Nothing of
 * the content is stored.
 */
interface Remembered {
  secret: string;
  /** Then it is forgotten (milliseconds since 1970). The server gives a payment up after a day. */
  until: number;
  /** A card was sent, and what became of it is not known yet. */
  unfinished?: boolean;
}

const STORED = 'payment';
const KEPT_MS = 6 * 3_600_000;

// Where storage is blocked, a key lasts as long as the page.
let here: Remembered | undefined;

function read(): Remembered | undefined {
  let found = here;
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? 'null') as Remembered | null;
    found = typeof stored?.secret === 'string' ? stored : undefined;
  } catch {
    // Blocked, or not ours.
  }
  return found && found.until > Date.now() ? found : undefined;
}

function write(next: Remembered): Remembered {
  here = next;
  try {
    localStorage.setItem(STORED, JSON.stringify(next));
  } catch {
    // Blocked or full.
  }
  // Another tab may have been quicker: what is stored now is what both take.
  return read() ?? next;
}

function remembered(): Remembered {
  return read() ?? write({ secret: randomUuid(), until: Date.now() + KEPT_MS });
}

// A page without a secure context has no digest: there a key lasts as long as the page.
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

/** The idempotency key of what is about to be paid. The same content has the same key. */
export async function paymentKey(content: unknown): Promise<string> {
  return digest(JSON.stringify([remembered().secret, content]));
}

/**
 * The key to begin anew with, after the server said that what `refused` began is over. Another tab
 * may have begun anew already: then it is that one's.
 */
export async function newPaymentKey(content: unknown, refused: string): Promise<string> {
  const current = await paymentKey(content);
  if (current !== refused) return current;
  forgetPayment();
  return paymentKey(content);
}

/** After a payment is made or over: the next one is another. */
export function forgetPayment(): void {
  here = undefined;
  try {
    localStorage.removeItem(STORED);
  } catch {
    // Blocked.
  }
}

/** Notes that a card is being sent: who comes back after a reload is told that it is not lost. */
export function notePaying(): void {
  write({ ...remembered(), unfinished: true });
}

/**
 * Says no more in this browser that a card was sent. The key stays, and so does the payment: who was
 * about to pay after all is still given the same one.
 */
export function forgetPaying(): void {
  const found = read();
  if (found) write({ secret: found.secret, until: found.until });
}

export function hasUnfinishedPayment(): boolean {
  return read()?.unfinished ?? false;
}
