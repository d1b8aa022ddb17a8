import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import { openTracing } from '@proveklar/services/tracing/tracing.ts';

export interface CollectedSpan {
  /** `service.name` of the process. */
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  /** OTLP's span kind: 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Exported {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: Omit<CollectedSpan, 'service'>[] }[];
  }[];
}

export interface TraceCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  /** The bodies of all requests, unparsed. */
  readonly bodies: string[];
  spans: () => CollectedSpan[];
}

/**
 * Starts a trace collector in memory and has this process send its traces there. Call it before
 * anything that opens pools or queues.
 */
export function useTraceCollector(): TraceCollector {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let stopTracing: () => Promise<void>;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    stopTracing = await openTracing('gateway', {
      OTEL_EXPORTER_OTLP_ENDPOINT: url(),
      VERSION: 'test',
    });
  });
  afterAll(async () => {
    await stopTracing();
    server.closeAllConnections();
    server.close();
  });
  return {
    bodies,
    get url() {
      return url();
    },
    spans: () => bodies.flatMap((body) => readSpans(JSON.parse(body) as Exported)),
  };
}

function readSpans({ resourceSpans }: Exported): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const name = resource.attributes.find(({ key }) => key === 'service.name');
    const service = name?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
  });
}
