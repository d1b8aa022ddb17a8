import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '#support/figures.ts';
import { importFile } from '#support/import-file.ts';
import { MemorySamples, requireMemoryFigures } from '#support/memory.ts';
import { startProduct } from '#support/product.ts';
import type { Bench, Measurement, Row } from '#row.ts';
import { writeQuestionFile } from '#question-file.ts';

const ALLOWED_MB = 80;
const IDLE_MS = 5_000;

export const row: Row = {
  id: 'P5',
  title: 'Memory while a large file is imported',
  sides: {
    value: 'growth from idle to peak, of the gateway or the worker, whichever is larger',
    limit: 'the maximum allowed',
  },
  unit: 'MB',
  target: { at: 'most', ratio: 1 },
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  requireMemoryFigures();
  const count = bench.quick ? 165_000 : 3_300_000;
  const file = join(bench.scratch.dir, 'memory.json');
  await writeQuestionFile(file, count, 'json');
  const megabytes = (statSync(file).size / 1e6).toFixed(0);
  const product = await startProduct(bench, await bench.scratch.database('memory'), {
    workers: true,
  });
  const names = ['gateway', 'workers'] as const;
  const sample = () => names.map((name) => new MemorySamples(product.pids[name]!));
  const end = (samples: MemorySamples[]) => samples.map((each) => each.stop());
  try {
    const idling = sample();
    await sleep(IDLE_MS);
    const idle = end(idling).map((samples) => median(samples));
    const working = sample();
    const token = bench.identity.tokenOf('admin');
    const { ms, done } = await importFile(product.url, token, file).finally(() => end(working));
    if (done.imported !== count) throw new Error(`Imported ${done.imported} of ${count}.`);
    const peak = end(working).map((samples) => Math.max(...samples));
    const growth = peak.map((figure, index) => figure - idle[index]!);
    return {
      value: Math.max(...growth),
      limit: ALLOWED_MB,
      notes: [
        `${count.toLocaleString('en')} questions, ${megabytes} MB of JSON, imported in ${(ms / 1000).toFixed(0)} s`,
        `resident memory (VmRSS) every 100 ms; idle: the median of ${IDLE_MS / 1000} s of the same, newly started processes; peak: the highest sample`,
      ],
      table: [
        ['process', 'idle, MB', 'peak, MB', 'growth, MB'],
        ...names.map((name, index) => [
          name,
          ...[idle, peak, growth].map((figures) => figures[index]!.toFixed(1)),
        ]),
      ],
    };
  } finally {
    await product.stop();
    await bench.scratch.drop('memory');
    rmSync(file, { force: true });
  }
}
