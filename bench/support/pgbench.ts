import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from '@proveklar/local/processes.ts';
import { NotMeasured } from '#not-measured.ts';

/** PostgreSQL plans a prepared statement again in the first executions on a connection. */
export const PLANNED_AFTER = 8;

/** @throws NotMeasured that says what to install */
export function requirePgbench(): void {
  const { error, status } = spawnSync('pgbench', ['--version']);
  // Debian's wrapper may be installed without the program itself.
  if (error || status !== 0) {
    throw new NotMeasured('pgbench is missing: apt-get install postgresql-contrib');
  }
}

export interface PgbenchOptions {
  url: string;
  /** Each run of the script is a transaction. */
  script: string;
  variables: Record<string, number>;
  clients: number;
  seconds: number;
  /** Transactions per second, at random moments; without it, as many as possible. */
  rate?: number;
  /** A folder for its files. */
  dir: string;
}

export interface PgbenchRun {
  transactions: number;
  perSecond: number;
  /**
   * With a `rate`: the latency of each in milliseconds, from the time at which it was due; without the first
   * ones of each client.
   */
  latencies: number[];
}

/** Runs prepared statements with pgbench, which is written in C. */
export async function runPgbench(options: PgbenchOptions): Promise<PgbenchRun> {
  const { url, script, variables, clients, seconds, rate, dir } = options;
  const folder = mkdtempSync(join(dir, 'pgbench-'));
  const file = join(folder, 'script.sql');
  writeFileSync(file, script);
  try {
    const output = await runToEnd({
      name: 'pgbench',
      command: [
        'pgbench',
        '--no-vacuum',
        '--protocol=prepared',
        `--file=${file}`,
        `--time=${seconds}`,
        `--client=${clients}`,
        '--jobs=2',
        ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
        ...(rate ? [`--rate=${rate}`, '--log', `--log-prefix=${join(folder, 'log')}`] : []),
        url,
      ],
      // The same as for the service's connections (services/database/pool.ts).
      env: { PATH: process.env.PATH, LC_ALL: 'C', PGOPTIONS: '-c timezone=UTC -c jit=off' },
    });
    return {
      transactions: figure(output, /actually processed: (\d+)/),
      perSecond: figure(output, /tps = ([\d.]+) \(without/),
      latencies: readLatencies(folder),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function figure(output: string, pattern: RegExp): number {
  const [, value] = pattern.exec(output) ?? [];
  if (!value) throw new Error(`Unexpected output of pgbench: ${output}`);
  return Number(value);
}

/** Reads its log: client, number of the transaction, microseconds, … */
function readLatencies(folder: string): number[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('log'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => line.split(' ').map(Number))
    .filter(([, number = 0]) => number >= PLANNED_AFTER)
    .map(([, , microseconds = Number.NaN]) => microseconds / 1000);
}
