import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import {
  type AttentionCounts,
  countAttention,
  findReconciliation,
  openReconciliation,
  reconcile,
  type Reconciliation,
  requestReconciliation,
} from '@proveklar/services/payments/incoming/reconcile.ts';
import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import { withPayments } from './with-payments.ts';

// `node workers/reconcile-command.ts [--days 30] [--here]`, or `npm run reconcile`. The exit code is 1
// when an operator must act.

interface ReconcileOptions {
  /** Compares the payments of this many days one by one. */
  days: number;
  /** Runs in this process instead of a worker. */
  here: boolean;
  /** How long a worker may take to start, and to finish. */
  startTimeoutMs?: number;
  endTimeoutMs?: number;
}

interface ReconcileOutcome {
  reconciliation: Reconciliation;
  /** Payments that need an administrator's attention. */
  attention: AttentionCounts;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const POLL_INTERVAL_MS = 250;
const START_TIMEOUT_MS = 15_000;
const END_TIMEOUT_MS = 30 * 60 * 1000;

/**
 * Compares our books with Stripe's for an operator, and waits for the end.
 *
 * @returns the comparison; it is not `done` when no worker started or finished it in time
 */
export async function reconcileByHand(
  deps: PaymentDeps,
  {
    days,
    here,
    startTimeoutMs = START_TIMEOUT_MS,
    endTimeoutMs = END_TIMEOUT_MS,
  }: ReconcileOptions,
): Promise<ReconcileOutcome> {
  const { db } = deps;
  const request = { requestedBy: 'operator', since: new Date(Date.now() - days * DAY_MS) };
  const create = here ? openReconciliation : requestReconciliation;
  const { id } = await withTransaction(db, (tx) => create(tx, request));
  const reconciliation = here
    ? (await reconcile(deps, id))!
    : await waitForEnd(deps, id, { startTimeoutMs, endTimeoutMs });
  return { reconciliation, attention: await countAttention(db) };
}

async function waitForEnd(
  { db }: PaymentDeps,
  id: string,
  { startTimeoutMs, endTimeoutMs }: { startTimeoutMs: number; endTimeoutMs: number },
): Promise<Reconciliation> {
  const startedAt = Date.now();
  for (;;) {
    const reconciliation = (await findReconciliation(db, id))!;
    const waitedMs = Date.now() - startedAt;
    const timeoutMs = reconciliation.state === 'waiting' ? startTimeoutMs : endTimeoutMs;
    if (reconciliation.state === 'done' || waitedMs > timeoutMs) return reconciliation;
    await sleep(POLL_INTERVAL_MS);
  }
}

const LABEL_WIDTH = 34;
const NUMBER_WIDTH = 6;

/** Formats a comparison for the terminal. */
export function formatReconciliation({ reconciliation, attention }: ReconcileOutcome): string {
  const { state, since, unknown_intents: unknown } = reconciliation;
  if (state === 'waiting') {
    return (
      'No worker has started the comparison yet; one does as soon as it runs.\n' +
      'Start the workers, or compare in this process with --here: npm run reconcile -- --here\n'
    );
  }
  if (state === 'running') {
    return (
      'A worker has started the comparison and not finished it; it is retried.\n' +
      "The workers' log has the reason.\n"
    );
  }
  const needingAttention = Object.values(attention).reduce((sum, count) => sum + count, 0);
  const rows: [string, number][] = [
    ['Events that no webhook delivered', reconciliation.events_missed],
    ['Payments, refunds, disputes read', reconciliation.payments_checked],
    ['Payments changed', reconciliation.payments_changed],
    ['Payments not in our books', unknown.length],
    ['Payments that need attention', needingAttention],
  ];
  const table = rows.map(
    ([label, number]) => `  ${label.padEnd(LABEL_WIDTH)}${String(number).padStart(NUMBER_WIDTH)}`,
  );
  const reasons = Object.entries(attention).map(
    ([reason, count]) => `${reason}: ${count} – see the admin portal, Payments`,
  );
  const unknowns = unknown.map((id) => `${id}: paid at Stripe and not in our books`);
  const last = needsAttention({ reconciliation, attention })
    ? ['', ...unknowns, ...reasons, 'What to do: docs/operations/payments.md, "Reconciliation".']
    : [];
  const day = since?.toISOString().slice(0, 10) ?? '';
  return `Compared with Stripe since ${day}:\n\n${[...table, ...last].join('\n')}\n`;
}

/** Whether an operator or administrator must act. */
export function needsAttention({ reconciliation, attention }: ReconcileOutcome): boolean {
  return (
    reconciliation.state !== 'done' ||
    reconciliation.unknown_intents.length > 0 ||
    Object.keys(attention).length > 0
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      days: { type: 'string', default: '30' },
      here: { type: 'boolean', default: false },
    },
  });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > 3650) {
    process.stderr.write(`--days must be a whole number from 1 to 3650, not "${values.days}".\n`);
    process.exit(2);
  }
  const failed = 'The comparison could not be made';
  await withPayments({ command: 'reconcile', failed }, async (deps) => {
    const outcome = await reconcileByHand(deps, { days, here: values.here });
    process.stdout.write(formatReconciliation(outcome));
    process.exitCode = needsAttention(outcome) ? 1 : 0;
  });
}
