import { cpus, totalmem } from 'node:os';

export interface Machine {
  cpu: string;
  cores: number;
  memory_gb: number;
  platform: string;
  node: string;
}

/** Enough to know whether two results may be laid side by side. */
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
