import { AsyncLocalStorage } from 'node:async_hooks';
import type { Telemetry } from 'bullmq';

/** The request that work is done for, in the gateway or later in a worker. */
export interface RequestContext {
  /** The id of the request, which is also in its log line and in the response header `x-request-id`. */
  request_id: string;
  /** The trace context (W3C Trace Context); only while tracing is on. */
  traceparent?: string;
}

const storage = new AsyncLocalStorage<RequestContext | undefined>();

/** The current request; undefined for work without a request, such as a schedule. */
export function requestContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Runs the work in the context of a request; in none when it is undefined. */
export function inRequestContext<T>(context: RequestContext | undefined, work: () => T): T {
  return storage.run(context, work);
}

/** The request context that an event stores in `outbox.trace`, as JSON; null for none. */
export function outboxTrace(): string | null {
  const context = requestContext();
  return context ? JSON.stringify(context) : null;
}

/** Reads the request context of an event. Returns undefined for an invalid one, because nothing depends on it. */
export function readTrace(stored: unknown): RequestContext | undefined {
  const { request_id: id, traceparent } = (stored ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string') return undefined;
  return { request_id: id, ...(typeof traceparent === 'string' && { traceparent }) };
}

interface SpanOptions {
  kind: 'server' | 'client' | 'consumer';
  attributes?: Record<string, string | number>;
}

/** A span of a trace. */
export interface Span {
  /** The trace context to propagate to other processes (W3C Trace Context). */
  traceparent: string;
  /** Runs the work in the span: spans that start in it become its children. */
  in: <T>(work: () => T) => T;
  /** Ends the span with attributes of the outcome. `error` marks it as failed, with its type and code only. */
  end: (outcome?: { attributes?: Record<string, string | number>; error?: unknown }) => void;
}

/** The tracer of a process. */
export interface Tracing {
  startSpan: (name: string, options: SpanOptions) => Span;
  /** Whether a span is active. Statements and calls get a span only as a child of another one. */
  isTracing: () => boolean;
  /** The trace context of the active span; undefined when there is none. */
  traceparent: () => string | undefined;
  /** Links the active span to the spans of other requests. */
  link: (traceparents: readonly string[]) => void;
  /** BullMQ's tracer. */
  telemetry: Telemetry;
  /** Flushes unsent spans, for at most two seconds. */
  stop: () => Promise<void>;
}
