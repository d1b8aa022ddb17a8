import { readFileSync } from 'node:fs';
import { NotMeasured } from '#not-measured.ts';

const SAMPLE_INTERVAL_MS = 100;
const MB = 1024;

/** @throws NotMeasured when the kernel does not provide it */
export function requireMemoryFigures(): void {
  if (process.platform !== 'linux') throw new NotMeasured('reads /proc, which only Linux has');
}

/** Samples the memory of a process until `stop`. In megabytes. */
export class MemorySamples {
  readonly #samples: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    const sample = () => this.#samples.push(residentMegabytes(pid));
    sample();
    this.#timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  }

  stop(): number[] {
    clearInterval(this.#timer);
    return this.#samples;
  }
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (!kilobytes) throw new Error(`Process ${pid} has ended.`);
  return Number(kilobytes) / MB;
}
