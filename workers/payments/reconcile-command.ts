import { parseArgs } from 'node:util';
import { parseConfig, WorkersConfig } from '@proveklar/services/config/config.ts';
import { createPool } from '@proveklar/services/database/pool.ts';
import { createIdentityProvider } from '@proveklar/services/identity/identity-provider.ts';
import { limitsOf } from '@proveklar/services/limits/limits.ts';
import { createStripeClient } from '@proveklar/services/payments/stripe/stripe-client.ts';
import { reconcileByHand } from './reconcile-by-hand.ts';
import { formatReconciliation, needsPerson } from './reconcile-report.ts';

// `node workers/payments/reconcile-command.ts [--days 30] [--here]`: ends with 1 when a person must
// do something.
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
