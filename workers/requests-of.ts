import {
  inRequestContext,
  readTrace,
  type RequestContext,
} from '@proveklar/services/tracing/request-context.ts';
import { tracing } from '@proveklar/services/tracing/tracing.ts';

/** The requests that a job's events come from. */
export interface RequestsOf {
  /** For the job's log lines: the id of the one that it is for, or of how many it is. */
  fields: { request_id?: string; requests?: number; trace_id?: string };
  /** Does the work for the one, if it is one: what it causes is known to come from it too. */
  run: <T>(work: () => T) => T;
}

/** Reads what a job's events remember, and ties their traces to the job's. */
export function requestsOf(events: readonly { trace?: unknown }[]): RequestsOf {
  const contexts = events.flatMap(({ trace }) => readTrace(trace) ?? []);
  const traceparent = tracing()?.traceparent();
  tracing()?.link(contexts.flatMap((context) => context.traceparent ?? []));
  const traced = traceparent && { trace_id: traceparent.split('-')[1]! };
  const ids = new Set(contexts.map((context) => context.request_id));
  const [first] = contexts;
  if (!first) return { fields: { ...traced }, run: (work) => work() };
  if (ids.size > 1) return { fields: { requests: ids.size, ...traced }, run: (work) => work() };
  const context: RequestContext = { ...first, ...(traceparent && { traceparent }) };
  return {
    fields: { request_id: first.request_id, ...traced },
    run: (work) => inRequestContext(context, work),
  };
}
