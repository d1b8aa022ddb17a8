import type { Telemetry } from 'bullmq';

export interface SpanOptions {
  kind: 'server' | 'client' | 'consumer';
  attributes?: Record<string, string | number>;
}

/** A stretch of work in a trace. */
export interface Span {
  /** Where it is, for whoever goes on with it elsewhere (W3C Trace Context). */
  traceparent: string;
  /** Does the work in it: what begins meanwhile becomes a part of it. */
  in: <T>(work: () => T) => T;
  /** Ends it, with what only the end knows; `error` marks it as failed, by its type and code alone. */
  end: (outcome?: { attributes?: Record<string, string | number>; error?: unknown }) => void;
}

/** What makes traces. */
export interface Tracing {
  startSpan: (name: string, options: SpanOptions) => Span;
  /** Whether something is being traced just now. Only parts of something are worth a span. */
  isTracing: () => boolean;
  /** Where the span under way is; undefined when there is none. */
  traceparent: () => string | undefined;
  /** Notes in the span under way that it is also for those requests. */
  link: (traceparents: readonly string[]) => void;
  /** How BullMQ makes its spans. */
  telemetry: Telemetry;
  /** Sends what has not been sent, for as long as that may take at the end: two seconds. */
  stop: () => Promise<void>;
}

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
