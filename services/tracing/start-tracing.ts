import {
  type Attributes,
  context,
  propagation,
  type Span as OtelSpan,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { BullMQOtel } from 'bullmq-otel';
import { tryWithTimeout } from '#lifecycle/try-with-timeout.ts';
import { describeError, scrub } from '#logging/scrub.ts';
import type { Span, Tracing } from './request-context.ts';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;
/** Spans that are not flushed within this time are lost. */
const FLUSH_TIMEOUT_MS = 2_000;
/** A batch may belong to a thousand requests. */
const MAX_LINKS = 20;

/** Starts a trace for requests and jobs only, not for the polling of a queue. */
const requestsAndJobs: Sampler = {
  shouldSample: (_context, _traceId, _name, kind) => ({
    decision:
      kind === SpanKind.SERVER || kind === SpanKind.CONSUMER
        ? SamplingDecision.RECORD_AND_SAMPLED
        : SamplingDecision.NOT_RECORD,
  }),
  toString: () => 'requests and jobs',
};

export interface StartTracingOptions {
  /** The URL of an OTLP collector; `/v1/traces` is appended. */
  endpoint: string;
  service: string;
  version: string;
}

/** Starts OpenTelemetry. Import this file in `openTracing` only, because it loads OpenTelemetry. */
export function startTracing({ endpoint, service, version }: StartTracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: requestsAndJobs }),
    spanProcessors: [new BatchSpanProcessor({ exporter: scrubbing(exporter) })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  const tracer = trace.getTracer('proveklar', version);

  return {
    startSpan: (name, { kind, attributes }) =>
      spanOf(tracer.startSpan(name, { kind: KINDS[kind], ...(attributes && { attributes }) })),
    isTracing: () => trace.getActiveSpan()?.isRecording() ?? false,
    traceparent: () => {
      const active = trace.getActiveSpan();
      return active && traceparentOf(active);
    },
    link(traceparents) {
      const active = trace.getActiveSpan();
      const links = traceparents.flatMap((traceparent) => {
        const from = parseTraceParent(traceparent);
        return from && from.traceId !== active?.spanContext().traceId ? [{ context: from }] : [];
      });
      active?.addLinks(links.slice(0, MAX_LINKS));
    },
    telemetry: new BullMQOtel({ tracerName: 'bullmq', version, enableMetrics: false }),
    async stop() {
      await tryWithTimeout(
        FLUSH_TIMEOUT_MS,
        provider.shutdown().catch(() => {}),
      );
      trace.disable();
      propagation.disable();
      context.disable();
    },
  };
}

function spanOf(span: OtelSpan): Span {
  return {
    traceparent: traceparentOf(span),
    in: (work) => context.with(trace.setSpan(context.active(), span), work),
    end({ attributes, error } = {}) {
      if (attributes) span.setAttributes(attributes);
      if (error !== undefined) {
        const { type, code } = describeError(error);
        span.setAttribute('error.type', code ?? type);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function traceparentOf(span: OtelSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
}

/** Scrubs spans before they are sent: BullMQ records a job's error with message and stack. */
function scrubbing(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(scrubSpan), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function scrubSpan(span: ReadableSpan): ReadableSpan {
  const events = span.events.map((event) => ({
    ...event,
    name: scrub(event.name),
    ...(event.attributes && { attributes: scrubAttributes(event.attributes) }),
  }));
  const replaced = {
    name: scrub(span.name),
    attributes: scrubAttributes(span.attributes),
    status: scrubStatus(span.status),
    events,
  };
  return new Proxy(span, {
    get: (target, key) =>
      Reflect.get(Object.hasOwn(replaced, key) ? replaced : target, key) as unknown,
  });
}

function scrubAttributes(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? scrub(value) : value,
    ]),
  );
}

function scrubStatus({ code, message }: SpanStatus): SpanStatus {
  return { code, ...(message !== undefined && { message: scrub(message) }) };
}
