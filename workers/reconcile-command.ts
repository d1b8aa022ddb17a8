import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parseConfig, WorkersConfig } from '@proveklar/services/config/config.ts';
import { createPool, withTransaction } from '@proveklar/services/database/pool.ts';
import { createIdentityProvider } from '@proveklar/services/identity/identity-provider.ts';
import { limitsOf } from '@proveklar/services/limits/limits.ts';
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
import { createStripeClient } from '@proveklar/services/payments/provider/stripe.ts';

// `node workers/reconcile-command.ts [--days 30] [--here]`: `npm run reconcile`. It ends with 1 when a
// person must do something.

interface ByHand {
  /** Payments of so many days are compared one by one. */
  days: number;
  /** In this process, not by a worker. */
  here: boolean;
  /** How long a worker may take to begin, and to come to its end. */
  beginMs?: number;
  endMs?: number;
}

interface ByHandOutcome {
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

const LABEL_WIDTH = 34;
const NUMBER_WIDTH = 6;

/** What an operator reads of a comparison. */
export function formatReconciliation({ reconciliation, attention }: ByHandOutcome): string {
  const { state, since, unknown_intents: unknown } = reconciliation;
  if (state === 'waiting') {
    return (
      'No worker has begun yet; the comparison is made as soon as one runs.\n' +
      'Start the workers, or compare in this process: the same with --here (npm run reconcile -- --here)\n'
    );
  }
  if (state === 'running') {
    return (
      'The comparison was begun and has not come to its end; it is tried again.\n' +
      'The log of the workers says what stands in its way.\n'
    );
  }
  const persons = Object.values(attention).reduce((sum, count) => sum + count, 0);
  const rows: [string, number][] = [
    ['Events that nobody had told us of', reconciliation.events_missed],
    ['Payments, refunds, disputes read', reconciliation.payments_checked],
    ['Payments changed', reconciliation.payments_changed],
    ['Payments not in our books', unknown.length],
    ['Payments that need a person', persons],
  ];
  const table = rows.map(
    ([label, number]) => `  ${label.padEnd(LABEL_WIDTH)}${String(number).padStart(NUMBER_WIDTH)}`,
  );
  const reasons = Object.entries(attention).map(
    ([reason, count]) => `${reason}: ${count} – see the admin portal, Payments`,
  );
  const unknowns = unknown.map((id) => `${id}: paid at Stripe and not in our books`);
  const last = needsPerson({ reconciliation, attention })
    ? ['', ...unknowns, ...reasons, 'What to do: docs/operations/payments.md, "Reconciliation".']
    : [];
  const day = since?.toISOString().slice(0, 10) ?? '';
  return `Compared with Stripe since ${day}:\n\n${[...table, ...last].join('\n')}\n`;
}

/** Whether it is not over with this: a person must do something. */
export function needsPerson({ reconciliation, attention }: ByHandOutcome): boolean {
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
  const config = parseConfig(WorkersConfig);
  const db = createPool(config.DATABASE_URL, { applicationName: 'reconcile', max: 2 });
  const stripe = createStripeClient({
    secretKey: config.STRIPE_SECRET_KEY,
    apiUrl: config.STRIPE_API_URL,
  });
  const identity = createIdentityProvider({
    projectId: config.FIREBASE_PROJECT_ID,
    apiKey: config.FIREBASE_API_KEY,
    emulatorHost: config.FIREBASE_AUTH_EMULATOR_HOST,
  });
  try {
    const deps = {
      db,
      stripe,
      identity,
      limits: limitsOf(config),
      withdrawalKey: config.WITHDRAWAL_KEY,
    };
    const outcome = await reconcileByHand(deps, { days, here: values.here });
    process.stdout.write(formatReconciliation(outcome));
    process.exitCode = needsPerson(outcome) ? 1 : 0;
  } catch (error) {
    const reason = error instanceof Error ? (error.cause ?? error) : error;
    process.stderr.write(
      `The comparison could not be made: ${reason instanceof Error ? reason.message : String(reason)}\n` +
        'The doctor says what is at fault: docs/operations/health.md.\n',
    );
    process.exitCode = 1;
  } finally {
    await db.end();
  }
}
