import { readTrace, type Tracing } from './request-context.ts';
import type { JobsOptions } from 'bullmq';

let current: Tracing | undefined;

/** The tracer of this process; undefined while tracing is off. */
export function tracing(): Tracing | undefined {
  return current;
}

export interface TracingConfig {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  VERSION: string;
}

/**
 * Starts tracing if the configuration names a collector; otherwise OpenTelemetry is not even loaded. Call it
 * before pools and queues are opened.
 *
 * @returns stops tracing; call it last, when nothing is left to trace
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

/** A trace context that is not sampled. */
const UNTRACED = '00-00000000000000000000000000000001-0000000000000001-00';

/**
 * The telemetry options of a job: it continues the trace of its event. Empty while tracing is off.
 *
 * @param isSampled false for canaries, which only check that the queue works
 */
export function jobTelemetry(trace: unknown, isSampled: boolean): Pick<JobsOptions, 'telemetry'> {
  if (!tracing()) return {};
  const traceparent = isSampled ? readTrace(trace)?.traceparent : UNTRACED;
  return traceparent ? { telemetry: { metadata: JSON.stringify({ traceparent }) } } : {};
}
