import pino from 'pino';
import { startStripeStandIn, type StripeStandInOptions } from './server.ts';

// The stand-in in a process of its own: options as JSON in the first argument, log to stdout.
const options = JSON.parse(process.argv[2] ?? '') as Omit<StripeStandInOptions, 'logger'>;
const standIn = await startStripeStandIn({ ...options, logger: pino({ name: 'stripe' }) });

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => void standIn.close().finally(() => process.exit(0)));
}
