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
