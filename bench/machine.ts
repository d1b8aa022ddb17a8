import { cpus, totalmem } from 'node:os';

export interface Machine {
  cpu: string;
  cores: number;
  memory_gb: number;
  platform: string;
  node: string;
}

/** Describes the host, to tell whether two results are comparable. */
export function machine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() || 'unknown',
    cores: processors.length,
    memory_gb: Math.round(totalmem() / 1024 ** 3),
    platform: `${process.platform}-${process.arch}`,
    node: process.version,
  };
}
