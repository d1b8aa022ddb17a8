import { AsyncLocalStorage } from 'node:async_hooks';
import type { Telemetry } from 'bullmq';

/** Which request something is done for, wherever it is done: in the gateway, or later in a worker. */
export interface RequestContext {
  /** The gateway's id of the request; it is in its log line and in the answer's `x-request-id`. */
  request_id: string;
  /** Where in a trace it is (W3C Trace Context); only while traces are made. */
  traceparent?: string;
}

const storage = new AsyncLocalStorage<RequestContext | undefined>();

/** The request that is being worked for; undefined for what nobody asked for, such as a schedule. */
export function requestContext(): RequestContext | undefined {
  return storage.getStore();
}

/** Does the work, and all that it calls, for that request; for none when it is undefined. */
export function inRequestContext<T>(context: RequestContext | undefined, work: () => T): T {
  return storage.run(context, work);
}

/** What an event remembers of its request: the value of `outbox.trace`, as JSON; null for none. */
export function outboxTrace(): string | null {
  const context = requestContext();
  return context ? JSON.stringify(context) : null;
}

/** Reads what an event remembers. Nothing depends on it, so what is not understood is none. */
export function readTrace(stored: unknown): RequestContext | undefined {
  const { request_id: id, traceparent } = (stored ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string') return undefined;
  return { request_id: id, ...(typeof traceparent === 'string' && { traceparent }) };
}

interface SpanOptions {
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
