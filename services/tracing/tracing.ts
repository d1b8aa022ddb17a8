import type { Tracing } from './span.ts';

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
