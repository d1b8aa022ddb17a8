import { readTrace, type Tracing } from './request-context.ts';
import type { JobsOptions } from 'bullmq';

let current: Tracing | undefined;

/** What makes traces in this process; undefined where none are made. */
export function tracing(): Tracing | undefined {
  return current;
}

export interface TracingConfig {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  VERSION: string;
}

/**
 * Makes traces from now on, if the configuration says where to send them: otherwise none of
 * OpenTelemetry is even loaded. Called before pools and queues are opened.
 *
 * @returns ends it; called last, when nothing is left that could be traced
 */
export async function openTracing(
  kind: 'gateway' | 'workers',
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, VERSION: version }: TracingConfig,
): Promise<() => Promise<void>> {
  if (!endpoint) return async () => {};
  const { startTracing } = await import('./start-tracing.ts');
  const opened = startTracing({ endpoint, service: `proveklar-${kind}`, version });
  current = opened;
  return async () => {
    current = undefined;
    await opened.stop();
  };
}

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
