import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@proveklar/local/postgres/cluster.ts';
import { interleaved, median } from '#support/figures.ts';
import { importFile } from '#support/import-file.ts';
import { ProcessorTimes, requireProcessorTimes } from '#support/processor-time.ts';
import { startProduct } from '#support/product.ts';
import { Psql, requirePsql } from '#support/psql.ts';
import type { Bench, Measurement, Row } from '#row.ts';
import { COPY_COLUMNS, writeQuestionFile } from '#question-file.ts';

export const row: Row = {
  id: 'P4',
  title: 'Importing a file of questions into an empty bank',
  sides: {
    value: 'from the first byte sent to the last row visible',
    limit: 'psql \\copy of the same rows, already parsed, into a copy of the question table',
  },
  unit: 's',
  target: { at: 'most', ratio: 1 },
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  requirePsql();
  requireProcessorTimes();
  const count = bench.quick ? 20_000 : 1_000_000;
  const rounds = bench.quick ? 2 : 3;
  const files = {
    json: join(bench.scratch.dir, 'import.json'),
    copy: join(bench.scratch.dir, 'import.copy'),
  };
  await writeQuestionFile(files.json, count, 'json');
  await writeQuestionFile(files.copy, count, 'copy');
  const megabytes = (statSync(files.json).size / 1e6).toFixed(0);
  const busy: Busy = { gateway: [], workers: [], database: [], copy: [] };
  const [ours = [], theirs = []] = await interleaved(rounds, [
    () => importOnce(bench, files.json, count, busy),
    () => copyOnce(bench, files.copy, count, busy),
  ]);
  for (const file of Object.values(files)) rmSync(file);
  const seconds = (figures: number[]) => figures.map((ms) => (ms / 1000).toFixed(2));
  return {
    value: median(ours) / 1000,
    limit: median(theirs) / 1000,
    notes: [
      `${count.toLocaleString('en')} questions, ${megabytes} MB of JSON; median of ${rounds} rounds, alternating, each on a new database, after a checkpoint`,
      'POST /api/v1/import/questions with Prefer: respond-async, then polled every 100 ms for its state: `completed` makes all rows visible at the same moment',
      'the copy: create table … (like question including all), without foreign keys; timed by psql itself',
    ],
    table: [
      ['round', ...seconds(ours).map((_, round) => String(round + 1))],
      ['import, s', ...seconds(ours)],
      ['\\copy, s', ...seconds(theirs)],
      ['ratio', ...ours.map((ms, round) => (ms / theirs[round]!).toFixed(2))],
      ['import: CPU s of the gateway', ...seconds(busy.gateway)],
      ['import: CPU s of the worker', ...seconds(busy.workers)],
      ['import: CPU s of PostgreSQL', ...seconds(busy.database)],
      ['\\copy: CPU s of PostgreSQL', ...seconds(busy.copy)],
    ],
  };
}

/** CPU milliseconds of each round. */
type Busy = Record<'gateway' | 'workers' | 'database' | 'copy', number[]>;

/** Each round uses a new database, without rows of an earlier one. */
async function withDatabase<T>(bench: Bench, work: (url: string) => Promise<T>): Promise<T> {
  const { scratch } = bench;
  const url = await scratch.database('import');
  try {
    return await work(url);
  } finally {
    await scratch.drop('import');
  }
}

function importOnce(bench: Bench, file: string, count: number, busy: Busy): Promise<number> {
  return withDatabase(bench, async (url) => {
    const product = await startProduct(bench, url, { workers: true });
    const { gateway, workers = 0 } = product.pids;
    const times = new ProcessorTimes([{ pid: gateway }], [{ pid: workers }], [], url);
    try {
      await bench.scratch.checkpoint();
      await times.begin();
      const { ms, done } = await importFile(product.url, bench.identity.tokenOf('admin'), file);
      const { ofGateways, ofWorkers, ofDatabase } = await times.end();
      busy.gateway.push(ofGateways);
      busy.workers.push(ofWorkers);
      busy.database.push(ofDatabase);
      if (done.imported !== count) throw new Error(`Imported ${done.imported} of ${count}.`);
      await expectRows(url, 'question', count);
      bench.say(`import: ${(ms / 1000).toFixed(2)} s`);
      return ms;
    } finally {
      await product.stop();
    }
  });
}

function copyOnce(bench: Bench, file: string, count: number, busy: Busy): Promise<number> {
  return withDatabase(bench, async (url) => {
    await withClient(url, (client) =>
      client.query('create table question_copy (like question including all)'),
    );
    await bench.scratch.checkpoint();
    const psql = new Psql(url);
    const times = new ProcessorTimes([], [], [], url);
    await times.begin();
    const { ms } = await psql.time(`\\copy question_copy (${COPY_COLUMNS}) from '${file}'`);
    busy.copy.push((await times.end()).ofDatabase);
    psql.close();
    await expectRows(url, 'question_copy', count);
    bench.say(`\\copy: ${(ms / 1000).toFixed(2)} s`);
    return ms;
  });
}

/** Checks that no rows were lost, which would make a side look fast. */
async function expectRows(url: string, table: string, count: number): Promise<void> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ count: string }>(`select count(*) from ${table}`),
  );
  if (Number(rows[0]?.count) !== count) {
    throw new Error(`${table} has ${rows[0]?.count ?? 'no'} rows, not ${count}.`);
  }
}
