import type { Attributes, SpanStatus } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { scrub } from '#logging/scrub.ts';

/** Takes out of spans what may not leave the house: BullMQ notes a job's error with message and stack. */
export function scrubbing(exporter: SpanExporter): SpanExporter {
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
