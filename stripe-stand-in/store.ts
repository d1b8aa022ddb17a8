import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type Stripe from 'stripe';
import type { CardBehaviour } from './payments/test-cards.ts';
import { nowInSeconds } from './ids.ts';

export type Store = {
  get<K extends Kind>(kind: K, id: string): Kept[K] | undefined;
  /** Oldest first. */
  all<K extends Kind>(kind: K): Kept[K][];
  /** Applies all changes atomically, and returns when they are written. */
  commit(changes: readonly Change[]): void;
  /** Takes over the journal of an earlier run, and compacts it: removes superseded lines. */
  takeOver(): void;
  close(): void;
};

const KINDS: readonly Kind[] = [
  'payment_intent',
  'charge',
  'refund',
  'dispute',
  'balance_transaction',
  'payment_method',
  'token',
  'redirect',
  'webhook_endpoint',
  'payment_method_domain',
  'event',
  'delivery',
  'idempotent_answer',
];

/**
 * Opens the state in `dataDir`: a journal with one line per commit, so that an intent, its events and its
 * idempotent response survive a killed process together or not at all. Writes nothing before the first commit
 * or `takeOver()`: a second stack that is started by mistake fails on the port before it can damage the journal
 * of the first. Does not fsync each line: the journal survives a killed process but not a power cut, which is
 * enough for a test double.
 */
export async function openStore(dataDir: string): Promise<Store> {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, 'stripe.jsonl');
  const maps = new Map<Kind, Map<string, unknown>>(KINDS.map((kind) => [kind, new Map()]));
  let file: number | undefined;

  function mapOf(kind: Kind): Map<string, unknown> {
    const map = maps.get(kind);
    if (map === undefined) throw new Error(`${path} holds an unknown kind: ${kind}`);
    return map;
  }

  function apply(changes: readonly Change[]): void {
    for (const [kind, id, value] of changes) {
      if (value === null) mapOf(kind).delete(id);
      else mapOf(kind).set(id, value);
    }
  }

  function takeOver(): number {
    const fresh = `${path}.new`;
    const writing = openSync(fresh, 'w', 0o600);
    for (const [kind, map] of maps) {
      for (const [id, value] of map) writeAll(writing, `${JSON.stringify([[kind, id, value]])}\n`);
    }
    fsyncSync(writing);
    renameSync(fresh, path);
    if (file !== undefined) closeSync(file);
    file = writing;
    return writing;
  }

  await replay(path, apply);
  return {
    get: <K extends Kind>(kind: K, id: string) => mapOf(kind).get(id) as Kept[K] | undefined,
    all: <K extends Kind>(kind: K) => [...mapOf(kind).values()] as Kept[K][],
    commit(changes) {
      if (changes.length === 0) return;
      writeAll(file ?? takeOver(), `${JSON.stringify(changes)}\n`);
      apply(changes);
    },
    takeOver() {
      takeOver();
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** Applies every line. Only the last one may be torn, by a process that was killed while it wrote. */
async function replay(path: string, apply: (changes: Change[]) => void): Promise<void> {
  if (!existsSync(path)) return;
  let torn: number | null = null;
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path, 'utf8') })) {
    number += 1;
    if (line === '') continue;
    if (torn !== null) throw new Error(`${path}: line ${torn} is not a commit`);
    try {
      apply(JSON.parse(line) as Change[]);
    } catch {
      torn = number;
    }
  }
}

/** Writes everything; `writeSync` may write only a part. */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  let done = 0;
  while (done < bytes.length) done += writeSync(file, bytes, done);
}

/** The stored objects, by kind. Values are never changed in place: an update is a new value. */
export type Kept = {
  payment_intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  balance_transaction: Stripe.BalanceTransaction;
  payment_method: StoredPaymentMethod;
  token: { id: string; payment_method: string };
  redirect: Redirect;
  webhook_endpoint: Stripe.WebhookEndpoint;
  payment_method_domain: Stripe.PaymentMethodDomain;
  event: Stripe.Event;
  delivery: Delivery;
  idempotent_answer: IdempotentAnswer;
};
export type Kind = keyof Kept;

/** One line of the journal is a list of these; `null` deletes the value. */
export type Change = { [K in Kind]: [kind: K, id: string, value: Kept[K] | null] }[Kind];

/** A payment method as Stripe returns it, and its behaviour in a payment. */
export type StoredPaymentMethod = CardBehaviour & { id: string; object: Stripe.PaymentMethod };

/** A visit to the page of a redirecting method; `id` is in its address, and cannot be guessed. */
export type Redirect = { id: string; payment_intent: string; return_url: string };

/** The state of the delivery of an event; `id` is the event's. */
type Delivery = { id: string; state: 'pending' | 'delivered' | 'abandoned' };

/** The stored response of an idempotency key; `id` is the key. */
export type IdempotentAnswer = {
  id: string;
  created: number;
  requestId: string;
  path: string;
  fingerprint: string;
  status: number;
  body: object;
};

/** How long an idempotency key is stored, in seconds. Source: https://docs.stripe.com/api/idempotent_requests */
export const IDEMPOTENCY_SECONDS = 24 * 60 * 60;

/** Stripe shows events of the last 30 days. */
export const EVENT_SECONDS = 30 * 24 * 60 * 60;

/** Expired data, which Stripe would have deleted by now. Payments are kept. */
export function expired(store: Store): Change[] {
  const now = nowInSeconds();
  const answers = store
    .all('idempotent_answer')
    .filter((answer) => answer.created <= now - IDEMPOTENCY_SECONDS)
    .map((answer): Change => ['idempotent_answer', answer.id, null]);
  const events = store
    .all('event')
    .filter((event) => event.created <= now - EVENT_SECONDS)
    .flatMap((event): Change[] => [
      ['event', event.id, null],
      ['delivery', event.id, null],
    ]);
  return [...answers, ...events];
}
