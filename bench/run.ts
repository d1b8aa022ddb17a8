import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { onInterrupt } from '@proveklar/local/on-interrupt.ts';
import { NotMeasured } from './not-measured.ts';
import { describe, heading } from './print.ts';
import { keepResults, measured, notMeasured, type Result } from './results.ts';
import type { Bench, Row } from './row.ts';
import { startIdentity } from './support/identity.ts';
import { startScratch } from './support/scratch.ts';

const ROWS = join(import.meta.dirname, 'rows');
const LATEST = join(import.meta.dirname, 'results/latest.json');

/**
 * The benchmarks: `npm run bench`.
 *
 *   npm run bench                        every row
 *   npm run bench -- --only P4,P5        some of them
 *   npm run bench -- --quick             small sizes, to check that the rows run
 *   npm run bench -- --shard 1/2         every second row, from the first; 2/2: the others
 *
 * Exit code 1 when a row failed to run. A missed target is a finding and not a failure, because hosts differ.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      shard: { type: 'string', default: '1/1' },
      quick: { type: 'boolean', default: false },
    },
  });
  const rows = takeShard(selectRows(await loadRows(), values.only?.split(',') ?? []), values.shard);
  // Child processes end with this process, and their folders are removed.
  const leave = () => process.exit(130);
  onInterrupt(leave, leave);

  say(heading(values.quick));
  const scratch = await startScratch();
  const identity = await startIdentity();
  try {
    const bench = {
      quick: values.quick,
      scratch,
      identity,
      say: (line: string) => say(`  ${line}`),
    };
    for (const row of rows) await runRow(row, bench);
  } finally {
    identity.close();
    await scratch.close();
  }
  say(`\nWritten to bench/results/latest.json`);
}

/** Every file of the folder is a row; a new row needs no registration. */
async function loadRows(): Promise<Row[]> {
  const files = readdirSync(ROWS).filter((name) => /^p\d+-.*(?<!\.test)\.ts$/.test(name));
  const number = (file: string) => Number.parseInt(file.slice(1), 10);
  const sorted = files.toSorted((one, other) => number(one) - number(other));
  const modules = sorted.map((name) => import(join(ROWS, name)) as Promise<{ row: Row }>);
  return (await Promise.all(modules)).map(({ row }) => row);
}

function selectRows(rows: Row[], ids: string[]): Row[] {
  if (ids.length === 0) return rows;
  const selected = ids.map((id) => id.trim().toUpperCase());
  const unknown = selected.filter((id) => !rows.some((row) => row.id === id));
  if (unknown.length > 0) {
    const known = rows.map(({ id }) => id).join(', ');
    throw new Error(`No row named ${unknown.join(', ')}. There are: ${known}.`);
  }
  return rows.filter(({ id }) => selected.includes(id));
}

function takeShard(rows: Row[], shard: string): Row[] {
  const [index = 0, count = 0] = shard.split('/').map(Number);
  if (!(index >= 1 && index <= count)) throw new Error(`--shard ${shard}: write it as 1/2.`);
  return rows.filter((_, at) => at % count === index - 1);
}

/** Written immediately, so that a later row that fails loses nothing. */
async function runRow(row: Row, bench: Bench): Promise<void> {
  say(`\n${row.id} …`);
  const started = performance.now();
  try {
    const result = await resultOf(row, bench);
    keepResults(LATEST, { [row.id]: result });
    say(describe(row, result));
    say(`    (the row took ${((performance.now() - started) / 1000).toFixed(0)} s)`);
  } catch (error) {
    console.error(`${row.id} failed:`, error);
    process.exitCode = 1;
  }
}

async function resultOf(row: Row, bench: Bench): Promise<Result> {
  try {
    return measured(row, bench.quick, await row.measure(bench));
  } catch (error) {
    if (error instanceof NotMeasured) return notMeasured(row, bench.quick, error.message);
    throw error;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
