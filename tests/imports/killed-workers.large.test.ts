import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { readImport } from '@proveklar/services/imports/read-imports.ts';
import { readWholeReport } from '@proveklar/services/imports/read-report.ts';
import { beginImport, receiveFile } from '@proveklar/services/imports/receive-import.ts';
import { recordFigures } from '#support/figures.ts';
import { useTestGateway } from '#support/gateway.ts';
import { fileRow, tracesOf } from '#support/imports.ts';
import { bySize, testSeed } from '#support/settings.ts';
import { queueBackends } from '#support/shared.ts';
import { useTestWorkers } from '#support/workers.ts';
import { randomFor } from '#support/random.ts';

// Workers are killed at random moments while a file arrives and is processed. The file arrives in one
// part per kill, so that the import cannot end before the last kill.
const QUESTIONS = bySize({ quick: 20_000, large: 20_000, full: 100_000 });
const SMALL = { postgres: 2, redis: 2 };
const KILLS = bySize({ quick: SMALL, large: SMALL, full: { postgres: 20, redis: 5 } });
/** How long BullMQ's defaults would take (a lock of 30 s, checked every 30 s); our settings take seconds. */
const STALLED_BY_DEFAULT_MS = 60_000;
const random = randomFor(testSeed('the moments of these kills'), 'kills');

const gateway = useTestGateway();
// Before `useTestWorkers`: hooks run in reverse order, so the workers are stopped before tables are emptied.
afterEach(() =>
  gateway.deps.db.query('truncate question, question_import, outbox, event_batch cascade'),
);
const workers = useTestWorkers();

/** The rows of the file, and the expected outcome of each. */
function makeFile() {
  const rows: object[] = [];
  const good = new Set<string>();
  const bad: number[] = [];
  let duplicates = 0;
  for (let number = 1; number <= QUESTIONS; number += 1) {
    const text = `Spørsmål ${number % 30 === 0 ? number - 7 : number}?`;
    const isBad = number % 50 === 7;
    rows.push(fileRow(text, { explanation: 'Fordi. '.repeat(8), ...(isBad && { answer: '' }) }));
    if (isBad) bad.push(number);
    else if (good.has(text)) duplicates += 1;
    else good.add(text);
  }
  return { bytes: Buffer.from(JSON.stringify(rows)), good, bad, duplicates };
}

async function begin(): Promise<string> {
  const id = crypto.randomUUID();
  await beginImport(gateway.deps.db, {
    id,
    importedBy: 'admin@example.no',
    format: 'json',
    dryRun: false,
    onDuplicate: 'skip',
    fileName: 'killed.json',
    bytesTotal: null,
  });
  return id;
}

/** Values that change once a worker has started on the import. */
async function trace(id: string): Promise<string> {
  const { rows } = await gateway.deps.db.query(
    'select state, attempts, bytes_done from question_import where id = $1',
    [id],
  );
  return JSON.stringify(rows[0]);
}

const bytesDone = async (id: string) => (await readImport(gateway.deps.db, id)).bytes_done;

async function untilCompleted(id: string): Promise<void> {
  const state = async () => (await readImport(gateway.deps.db, id)).state;
  await expect.poll(state, { interval: 100 }).toBe('completed');
}

describe.each(await queueBackends())('with queues on $name', ({ name, redisUrl }) => {
  test('an import whose workers are killed has every question once, and a correct report', async () => {
    const { db } = gateway.deps;
    const kills = KILLS[name];
    const { bytes, good, bad, duplicates } = makeFile();
    const { start } = await workers.on(gateway, redisUrl);
    const id = await begin();
    let allowed = 0;
    const receiving = receiveFile(
      db,
      { id, importedBy: 'admin@example.no' },
      arriving(bytes, () => allowed),
    );

    let worstMs = 0;
    let inVain = 0;
    for (let kill = 0; kill <= kills; kill += 1) {
      allowed = kill === kills ? bytes.length : Math.ceil((bytes.length * (kill + 1)) / kills);
      if (kill === kills - 1) allowed -= 100;
      const [before, doneBefore] = [await trace(id), await bytesDone(id)];
      const began = Date.now();
      const worker = start();
      await expect.poll(() => trace(id), { interval: 5 }).not.toBe(before);
      if (kill > 0) worstMs = Math.max(worstMs, Date.now() - began);
      if (kill === kills) break;
      await sleep(random.below(600));
      // After five attempts without progress, an import counts as one that crashes its workers.
      if (inVain >= 3) {
        await expect.poll(() => bytesDone(id)).not.toBe(doneBefore);
      }
      inVain = (await bytesDone(id)) === doneBefore ? inVain + 1 : 0;
      process.kill(worker.pids[0]!, 'SIGKILL');
      await worker.ended;
    }
    await receiving;
    await untilCompleted(id);
    recordFigures({ questions: QUESTIONS, kills, 'worst ms until taken up': worstMs });
    process.stdout.write(`${name}: ${kills} kills, taken up after ${worstMs} ms at worst\n`);
    expect(worstMs).toBeLessThan(STALLED_BY_DEFAULT_MS);

    const { rows } = await db.query<{ question: string }>(
      'select question from question where import_id = $1',
      [id],
    );
    expect(rows).toHaveLength(good.size);
    expect(new Set(rows.map(({ question }) => question))).toEqual(good);
    expect(await readImport(db, id)).toMatchObject({
      imported: good.size,
      duplicates,
      rejected: bad.length,
      rows: QUESTIONS,
    });
    const rejected: number[] = [];
    for await (const reported of readWholeReport(db, id)) {
      rejected.push(...reported.filter((row) => row.outcome === 'rejected').map(({ row }) => row));
    }
    expect(rejected).toEqual(bad);
    await expect.poll(() => tracesOf(db, id)).toMatchObject({ chunks: 0 });

    const again = await begin();
    await receiveFile(
      db,
      { id: again, importedBy: 'admin@example.no' },
      arriving(bytes, () => bytes.length),
    );
    await untilCompleted(again);
    expect(await readImport(db, again)).toMatchObject({
      imported: 0,
      duplicates: good.size + duplicates,
      rejected: bad.length,
    });
  });
});

/** The file's bytes, up to the position that `allowed` gives. */
async function* arriving(bytes: Buffer, allowed: () => number): AsyncGenerator<Buffer> {
  let sent = 0;
  while (sent < bytes.length) {
    const upTo = Math.min(allowed(), bytes.length);
    if (upTo > sent) yield bytes.subarray(sent, upTo);
    else await sleep(20);
    sent = Math.max(sent, upTo);
  }
}
