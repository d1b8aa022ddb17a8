import { setTimeout as sleep } from 'node:timers/promises';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import {
  countAttention,
  type AttentionCounts,
} from '@proveklar/services/payments/reconciliation/check-books.ts';
import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import {
  findReconciliation,
  openReconciliation,
  reconcile,
  requestReconciliation,
  type Reconciliation,
} from '@proveklar/services/payments/reconciliation/reconcile.ts';

export interface ByHand {
  /** Payments of so many days are compared one by one. */
  days: number;
  /** In this process, not by a worker. */
  here: boolean;
  /** How long a worker may take to begin, and to come to its end. */
  beginMs?: number;
  endMs?: number;
}

export interface ByHandOutcome {
  reconciliation: Reconciliation;
  /** Payments that a person must look at. */
  attention: AttentionCounts;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const POLL_MS = 250;
const BEGIN_MS = 15_000;
const END_MS = 30 * 60 * 1000;

/**
 * Compares our books with Stripe's because an operator asked, and waits for the end of it.
 *
 * @returns the comparison, which is not `done` when no worker took it up or brought it to its end
 */
export async function reconcileByHand(
  deps: PaymentDeps,
  { days, here, beginMs = BEGIN_MS, endMs = END_MS }: ByHand,
): Promise<ByHandOutcome> {
  const { db } = deps;
  const asked = { requestedBy: 'operator', since: new Date(Date.now() - days * DAY_MS) };
  const begin = here ? openReconciliation : requestReconciliation;
  const { id } = await withTransaction(db, (tx) => begin(tx, asked));
  const reconciliation = here
    ? (await reconcile(deps, id))!
    : await waitForEnd(deps, id, { beginMs, endMs });
  return { reconciliation, attention: await countAttention(db) };
}

async function waitForEnd(
  { db }: PaymentDeps,
  id: string,
  { beginMs, endMs }: { beginMs: number; endMs: number },
): Promise<Reconciliation> {
  const began = Date.now();
  for (;;) {
    const reconciliation = (await findReconciliation(db, id))!;
    const waited = Date.now() - began;
    const patience = reconciliation.state === 'waiting' ? beginMs : endMs;
    if (reconciliation.state === 'done' || waited > patience) return reconciliation;
    await sleep(POLL_MS);
  }
}
