import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface ProcessKind {
  kind: 'gateway' | 'workers';
  version: string;
}

/** Makes the registry of a process: with what Node says of itself, and which version runs. */
export function createRegistry({ kind, version }: ProcessKind): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'proveklar_build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'kind'],
    registers: [registry],
  }).set({ version, kind }, 1);
  return registry;
}
