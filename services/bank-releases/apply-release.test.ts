import { afterEach, expect, test, vi } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow, sendFile, workOn } from '@proveklar/tests/support/imports.ts';
import { importRows } from '#imports/import-rows.ts';
import { withImportLock } from '#imports/process-import.ts';
import { applyRelease, undoRelease } from './apply-release.ts';

const database = useTestDatabase();
afterEach(() => emptyTables(database.pool, 'question', 'question_import', 'question_change'));

const rows = [fileRow('A?'), fileRow('B?')];
const sentRow = `[${JSON.stringify(rows[0])}`;

async function bank(): Promise<string[]> {
  const { rows: found } = await database.pool.query<{ known: string }>(
    `select question || case when validated then ' validated' else ' pending' end as known
     from question order by question`,
  );
  return found.map(({ known }) => known);
}

test('a release that was interrupted while it imported imports the questions again', async () => {
  await importRows(database.pool, rows, 'seed');
  // The state that a killed process leaves.
  await database.pool.query(`update question_import set state = 'processing', ended_at = null`);
  expect(await applyRelease(database.pool, rows)).toMatchObject({ added: 2 });
  const { rows: states } = await database.pool.query('select state from question_import');
  expect(states).toEqual([{ state: 'completed' }]);
  expect(await bank()).toEqual(['A? validated', 'B? validated']);
});

test('a release that was killed while it sent its questions sends them again', async () => {
  const id = await sendFile(database.pool, sentRow, { importedBy: 'seed' });
  await database.pool.query(`update question_import set state = 'receiving' where id = $1`, [id]);
  expect(await applyRelease(database.pool, rows)).toMatchObject({ added: 2 });
  const { rows: states } = await database.pool.query(
    'select state, removed_at is not null as is_removed from question_import order by created_at',
  );
  expect(states).toEqual([
    { state: 'refused', is_removed: true },
    { state: 'completed', is_removed: false },
  ]);
  expect(await bank()).toEqual(['A? validated', 'B? validated']);
});

test('a release that was killed before it validated its questions validates them', async () => {
  await importRows(database.pool, rows, 'seed');
  expect(await bank()).toEqual(['A? pending', 'B? pending']);
  expect(await applyRelease(database.pool, rows)).toMatchObject({ added: 0 });
  expect(await bank()).toEqual(['A? validated', 'B? validated']);
});

test('a release first finishes an import whose worker died', async () => {
  const lost = await importRows(database.pool, [fileRow('C?')], 'admin@example.no');
  await database.pool.query(`update question_import set state = 'processing', ended_at = null`);
  expect(await applyRelease(database.pool, rows)).toMatchObject({ added: 2 });
  expect(lost.imported).toBe(1);
  expect(await bank()).toEqual(['A? validated', 'B? validated', 'C? pending']);
});

test('a release beside a worker has the same result', async () => {
  const ended = new AbortController();
  async function work(): Promise<void> {
    while (!ended.signal.aborted) {
      const { rows: imports } = await database.pool.query('select id from question_import');
      for (const { id } of imports) await workOn(database.pool, id);
    }
  }
  const worker = work();
  try {
    expect(await applyRelease(database.pool, rows)).toMatchObject({ added: 2 });
  } finally {
    ended.abort();
    await worker;
  }
  expect(await bank()).toEqual(['A? validated', 'B? validated']);
});

test('a second call changes nothing, and keeps the changes of an administrator', async () => {
  await applyRelease(database.pool, rows);
  await database.pool.query(`update question set validated = false where question = 'B?'`);
  const traces = async () => {
    const { rows: counted } = await database.pool.query(
      `select (select count(*) from question_import) as imports,
              (select count(*) from question_change) as changes,
              (select count(*) from audit_entry) as entries,
              (select count(*) from outbox) as events`,
    );
    return counted[0];
  };
  const before = await traces();
  expect(await applyRelease(database.pool, [...rows, fileRow('  b?')])).toMatchObject({
    added: 0,
  });
  expect(await traces()).toEqual(before);
  expect(await bank()).toEqual(['A? validated', 'B? pending']);
});

test('an invalid new question fails the release', async () => {
  const bad = fileRow('C?', { topic: ' ' });
  await expect(applyRelease(database.pool, [...rows, bad])).rejects.toThrow('blank');
});

test('undoing a release waits for another import, and then removes its new questions', async () => {
  const { release } = await applyRelease(database.pool, [fileRow('A?', { group: 'a-001' })]);
  const [isLocked, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = withImportLock(database.pool, crypto.randomUUID(), async () => {
    isLocked.resolve();
    await mayEnd.promise;
  });
  await isLocked.promise;
  const { signal } = new AbortController();
  const looks = vi.spyOn(signal, 'throwIfAborted');
  const undone = undoRelease(database.pool, release!, { signal });
  // It looks for the lock a second time, instead of ending with the question still in use.
  try {
    await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(1);
  } finally {
    mayEnd.resolve();
    await Promise.all([undone, other]);
  }
  expect(await bank()).toEqual([]);
});
