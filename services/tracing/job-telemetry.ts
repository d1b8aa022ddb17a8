import type { JobsOptions } from 'bullmq';
import { readTrace } from './request-context.ts';
import { tracing } from './tracing.ts';

/** A trace that nobody keeps. */
const UNTRACED = '00-00000000000000000000000000000001-0000000000000001-00';

/**
 * What a job says of its trace: it goes on with the one of its event. Nothing while no traces are made.
 *
 * @param isWorthIt false for what only looks whether the queue works
 */
export function jobTelemetry(trace: unknown, isWorthIt: boolean): Pick<JobsOptions, 'telemetry'> {
  if (!tracing()) return {};
  const traceparent = isWorthIt ? readTrace(trace)?.traceparent : UNTRACED;
  // Without `omitContext` it would go on with the relay's own.
  if (!traceparent) return { telemetry: { omitContext: true } };
  return { telemetry: { metadata: JSON.stringify({ traceparent }) } };
}
