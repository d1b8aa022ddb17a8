import { beforeEach, describe, expect, test } from 'vitest';
import { CHUNK_BYTES } from '@proveklar/contract/limits.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import {
  beginUpload,
  checksumOf,
  fileRow,
  importFile,
  sendPart,
  tracesOf,
  workOn,
} from '@proveklar/tests/support/imports.ts';
import { withTransaction } from '#database/pool.ts';
import { stepImport } from './end-import.ts';
import { processImport, withImportLock } from './process-import.ts';
import { forgetImports, readImport } from './read-imports.ts';

const database = useTestDatabase();
beforeEach(() => database.pool.query('truncate question, question_import, outbox cascade'));

const ROWS = 9_000;
const FILE = fileOf(ROWS);

function fileOf(rows: number): Buffer {
  const questions = Array.from({ length: rows }, (_, place) =>
    fileRow(`Spørsmål ${place}?`, { explanation: 'Fordi. '.repeat(8) }),
  );
  return Buffer.from(JSON.stringify(questions));
}

const readOne = (id: string) => readImport(database.pool, id);

/** The first question that was inserted; another one after the file was read again. */
async function firstQuestion(id: string): Promise<number | null> {
  const { rows } = await database.pool.query<{ first: number | null }>(
    'select min(id) as first from question where import_id = $1',
    [id],
  );
  return rows[0]!.first;
}

/** A body whose connection is cut behind these bytes. */
async function* cutOff(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
  throw new Error('aborted');
}

/** Sends a part whose connection is cut. Returns where to go on. */
async function sendCut(id: string, bytes: Buffer, offset = 0): Promise<number> {
  const checksum = offset === 0 ? null : checksumOf(FILE.subarray(0, offset));
  await expect(sendPart(database.pool, { id, offset, checksum }, cutOff(bytes))).rejects.toThrow(
    'aborted',
  );
  return (await readOne(id)).bytes_received;
}

const resume = (id: string, offset: number, bytes = FILE) =>
  sendPart(
    database.pool,
    { id, offset, checksum: checksumOf(bytes.subarray(0, offset)) },
    bytes.subarray(offset),
  );

/** Lets time pass for an upload that is not sent. */
const pass = (id: string, interval: string) =>
  database.pool.query(
    'update question_import set heard_at = heard_at - $2::interval where id = $1',
    [id, interval],
  );

describe('an upload that is interrupted', () => {
  test('goes on where it stopped, and every row is imported once', async () => {
    const id = await beginUpload(database.pool, FILE.length);
    const first = await sendCut(id, FILE.subarray(0, 500_000));
    expect(first).toBe(CHUNK_BYTES);
    expect(await readOne(id)).toMatchObject({ state: 'paused', bytes_total: FILE.length });
    const second = await sendCut(id, FILE.subarray(first, 1_200_000), first);
    expect(second).toBe(4 * CHUNK_BYTES);
    await resume(id, second);
    await workOn(database.pool, id);
    expect(await readOne(id)).toMatchObject({ state: 'completed', imported: ROWS, rows: ROWS });
  });

  test('leaves no row in the bank while it is paused, and the next import is not held up', async () => {
    const id = await beginUpload(database.pool, FILE.length);
    const offset = await sendCut(id, FILE.subarray(0, 1_300_000));
    await pass(id, '21 s');
    await workOn(database.pool, id);
    expect(await readOne(id)).toMatchObject({ state: 'paused', rows: 0, bytes_done: 0 });
    expect(await tracesOf(database.pool, id)).toMatchObject({ questions: 0, chunks: 4 });

    const other = await importFile(database.pool, [fileRow('Spørsmål 1?')]);
    expect(other).toMatchObject({ state: 'completed', imported: 1, duplicates: 0 });

    await resume(id, offset);
    await workOn(database.pool, id);
    expect(await readOne(id)).toMatchObject({
      state: 'completed',
      imported: ROWS - 1,
      duplicates: 1,
    });
    expect(await tracesOf(database.pool, id)).toMatchObject({ questions: ROWS - 1, chunks: 0 });
  });

  test('is read on without a loss when its sender is back at once', async () => {
    const id = await beginUpload(database.pool, FILE.length);
    const offset = await sendCut(id, FILE.subarray(0, 1_300_000));
    const work = workOn(database.pool, id);
    await expect.poll(async () => (await readOne(id)).rows).toBeGreaterThan(0);
    const before = await firstQuestion(id);
    await resume(id, offset);
    await work;
    expect(await firstQuestion(id)).toBe(before);
    expect(await readOne(id)).toMatchObject({ state: 'completed', imported: ROWS });
  });

  test('keeps its file from a worker of the version before, which knows no paused uploads', async () => {
    const id = await beginUpload(database.pool, FILE.length);
    const offset = await sendCut(id, FILE.subarray(0, 700_000));
    // Its answer to an event of an import whose state it does not know.
    await database.pool.query('delete from import_chunk where import_id = $1', [id]);
    await resume(id, offset);
    await workOn(database.pool, id);
    expect(await readOne(id)).toMatchObject({ state: 'completed', imported: ROWS });
    expect(await tracesOf(database.pool, id)).toMatchObject({ chunks: 0 });
  });

  test('whose gateway was killed is paused when nothing more is heard', async () => {
    const id = await beginUpload(database.pool, FILE.length);
    await sendCut(id, FILE.subarray(0, 300_000));
    // A killed gateway writes nothing more.
    await database.pool.query(`update question_import set state = 'receiving' where id = $1`, [id]);
    await pass(id, '91 s');
    await workOn(database.pool, id);
    expect(await readOne(id)).toMatchObject({ state: 'paused' });
  });

  test('is refused when the file was changed in what was sent', async () => {
    const id = await beginUpload(database.pool, FILE.length);
    const offset = await sendCut(id, FILE.subarray(0, 700_000));
    const changed = Buffer.from(FILE);
    changed[100_000] = 0x20;
    await expect(resume(id, offset, changed)).rejects.toMatchObject({
      code: 'import_upload_changed',
    });
    await expect(resume(id, 0)).rejects.toMatchObject({
      code: 'import_upload_offset',
      details: { offset },
    });
    expect(await readOne(id)).toMatchObject({ state: 'paused', bytes_received: offset });
  });

  test('is refused when the file has become longer', async () => {
    const id = await beginUpload(database.pool, FILE.length);
    const offset = await sendCut(id, FILE.subarray(0, 700_000));
    await expect(resume(id, offset, Buffer.concat([FILE, FILE]))).rejects.toMatchObject({
      code: 'import_upload_changed',
    });
    expect(await readOne(id)).toMatchObject({ state: 'paused' });
  });

  test('can be cancelled, and leaves nothing', async () => {
    const id = await beginUpload(database.pool, FILE.length);
    const offset = await sendCut(id, FILE.subarray(0, 700_000));
    await stepImport(database.pool, id, 'cancel', 'admin@example.no');
    await workOn(database.pool, id);
    expect(await tracesOf(database.pool, id)).toEqual({ questions: 0, updates: 0, chunks: 0 });
    await expect(resume(id, offset)).rejects.toMatchObject({ code: 'import_state' });
  });

  test('belongs to the person who began it', async () => {
    const id = await beginUpload(database.pool, FILE.length);
    await expect(
      sendPart(database.pool, { id, importedBy: 'other@example.no' }, FILE),
    ).rejects.toMatchObject({ code: 'import_not_found' });
  });
});

test('a paused upload that no worker reads holds up no other import, and is read again once resumed', async () => {
  const id = await beginUpload(database.pool, FILE.length);
  const offset = await sendCut(id, FILE.subarray(0, 1_200_000));
  // A worker reads it, and stops. One of a version that knows no paused uploads took it for an import that is over.
  const stop = new AbortController();
  const stopped = withImportLock(database.pool, id, () =>
    processImport(database.pool, id, stop.signal),
  );
  await expect.poll(async () => (await readOne(id)).bytes_done).toBeGreaterThan(0);
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  expect(await readOne(id)).toMatchObject({ state: 'paused' });

  const first = FILE.subarray(0, FILE.indexOf('},') + 1);
  const other = await importFile(database.pool, `${first.toString()}]`);
  expect(other).toMatchObject({ state: 'completed', imported: 1, duplicates: 0 });
  expect(await readOne(id)).toMatchObject({ state: 'paused', rows: 0, bytes_received: offset });
  await resume(id, offset);
  await workOn(database.pool, id);
  expect(await readOne(id)).toMatchObject({
    state: 'completed',
    imported: ROWS - 1,
    duplicates: 1,
    rows: ROWS,
  });
});

test('of two requests that send a file, the older one stores nothing more', async () => {
  const id = await beginUpload(database.pool, FILE.length);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const old = sendPart(
    database.pool,
    { id },
    (async function* () {
      yield FILE.subarray(0, CHUNK_BYTES);
      yield Buffer.from(' ');
      await released;
      yield Buffer.alloc(FILE.length - CHUNK_BYTES - 1, 'x');
    })(),
  );
  await expect.poll(async () => (await readOne(id)).bytes_received).toBe(CHUNK_BYTES);
  await resume(id, CHUNK_BYTES);
  release();
  await old;
  await workOn(database.pool, id);
  expect(await readOne(id)).toMatchObject({ state: 'completed', imported: ROWS });
});

test('an upload that is not resumed within 24 hours is deleted', async () => {
  const id = await beginUpload(database.pool, FILE.length);
  await sendCut(id, FILE.subarray(0, 700_000));
  await pass(id, '23 hours');
  await withTransaction(database.pool, forgetImports);
  expect(await readOne(id)).toMatchObject({ state: 'paused' });
  await pass(id, '2 hours');
  await withTransaction(database.pool, forgetImports);
  const { rows } = await database.pool.query<{ name: string }>(
    `select name from outbox where payload->>'import_id' = $1`,
    [id],
  );
  expect(rows.map(({ name }) => name)).toContain('import.changed');
  await workOn(database.pool, id);
  expect(await readOne(id)).toMatchObject({
    state: 'refused',
    refusal: { reason: 'interrupted' },
    is_removed: true,
    resumable_until: null,
  });
  expect(await tracesOf(database.pool, id)).toEqual({ questions: 0, updates: 0, chunks: 0 });
});

test('the report of an import is deleted after 90 days, and its counts stay', async () => {
  const done = await importFile(database.pool, [fileRow('En?'), fileRow('To?', { answer: '' })]);
  const age = (interval: string) =>
    database.pool.query(
      'update question_import set ended_at = ended_at - $2::interval where id = $1',
      [done.id, interval],
    );
  const kept = async () => {
    const { rows } = await database.pool.query<{ kept_rows: string | null; report: unknown[] }>(
      'select kept_rows, report from import_batch where import_id = $1',
      [done.id],
    );
    return rows[0]!;
  };
  await age('89 days');
  await withTransaction(database.pool, forgetImports);
  expect((await kept()).kept_rows).toContain('To?');
  await age('2 days');
  await withTransaction(database.pool, forgetImports);
  expect(await kept()).toEqual({ kept_rows: null, report: [] });
  expect(await readOne(done.id)).toMatchObject({
    imported: 1,
    rejected: 1,
    is_report_deleted: true,
  });
});
