import pino from 'pino';
import { startStripeStandIn, type StripeStandInOptions } from './server.ts';

// Runs the stand-in in its own process. Options: JSON in the first argument; logs to stdout.
const options = JSON.parse(process.argv[2] ?? '') as Omit<StripeStandInOptions, 'logger'>;
const standIn = await startStripeStandIn({ ...options, logger: pino({ name: 'stripe' }) });

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => void standIn.close().finally(() => process.exit(0)));
}
