import { parseConfig, WorkersConfig } from '@proveklar/services/config/config.ts';
import { createPool } from '@proveklar/services/database/pool.ts';
import { createPaymentDeps } from '@proveklar/services/payments/create-payment-deps.ts';
import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';

/**
 * Runs an operator's command with what payments need, and closes the database after it. An error is printed
 * and makes the exit code 1.
 *
 * @param failed what could not be done, as the operator reads it
 */
export async function withPayments(
  { command, failed }: { command: string; failed: string },
  work: (deps: PaymentDeps) => Promise<void>,
): Promise<void> {
  const config = parseConfig(WorkersConfig);
  const db = createPool(config.DATABASE_URL, { applicationName: command, max: 2 });
  try {
    await work(createPaymentDeps(config, db));
  } catch (error) {
    const reason = error instanceof Error ? (error.cause ?? error) : error;
    process.stderr.write(
      `${failed}: ${reason instanceof Error ? reason.message : String(reason)}\n` +
        'The doctor says what is at fault: docs/operations/health.md.\n',
    );
    process.exitCode = 1;
  } finally {
    await db.end();
  }
}
