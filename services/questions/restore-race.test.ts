import { expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow, importFile } from '@proveklar/tests/support/imports.ts';
import { startChange, undoChange } from './start-bulk-change.ts';

const database = useTestDatabase();
const ACTOR = 'admin@example.no';

/** Inserts two retired questions with the same text. */
async function twins(text: string): Promise<[number, number]> {
  const ids: number[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    await importFile(database.pool, [fileRow(text)]);
    const { rows } = await database.pool.query<{ id: number }>(
      `update question set retired_at = now()
       where question = $1 and retired_at is null returning id`,
      [text],
    );
    ids.push(rows[0]!.id);
  }
  return ids as [number, number];
}

/** Restores one question while `work` restores the other. */
async function whileRestoring<T>(id: number, work: () => Promise<T>): Promise<T> {
  const other = await database.pool.connect();
  await other.query('begin');
  await other.query('update question set retired_at = null where id = $1', [id]);
  const working = work();
  working.catch(() => {});
  await expect
    .poll(async () => {
      const { rows } = await database.pool.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_locks where not granted`,
      );
      return rows[0]!.waiting;
    })
    .toBeGreaterThan(0);
  await other.query('commit');
  other.release();
  return working;
}

test('a concurrent restore of the same text changes nothing', async () => {
  const [first, second] = await twins('A?');
  const change = await whileRestoring(first, () =>
    startChange(database.pool, {
      action: 'restore',
      topic: undefined,
      selection: { ids: [second] },
      actor: ACTOR,
    }),
  );
  expect(change).toMatchObject({ state: 'completed', total: 1, changed: 0 });
});

test('a concurrent undo of a retirement of the same text changes nothing', async () => {
  const [first, second] = await twins('B?');
  await database.pool.query('update question set retired_at = null where id = $1', [second]);
  const { id } = await startChange(database.pool, {
    action: 'retire',
    topic: undefined,
    selection: { ids: [second] },
    actor: ACTOR,
  });
  const change = await whileRestoring(first, () => undoChange(database.pool, id, ACTOR));
  expect(change).toMatchObject({ state: 'undone' });
  const { rows } = await database.pool.query('select id from question where retired_at is null');
  expect(rows.map((row) => row.id)).toContain(first);
  expect(rows.map((row) => row.id)).not.toContain(second);
});
