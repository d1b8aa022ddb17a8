import { afterEach, describe, expect, test } from 'vitest';
import { withTransaction } from '#database/pool.ts';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import {
  fileRow,
  importFile,
  reportOf,
  sendFile,
  tracesOf,
  workOn,
} from '@proveklar/tests/support/imports.ts';
import { readChunks } from './file-chunks.ts';
import { stepImport, IMPORT_STEPS, type ImportStep } from './end-import.ts';
import { withImportLock, processImport } from './process-import.ts';
import { readImport } from './read-imports.ts';

const database = useTestDatabase();
const ADMIN = 'admin@example.no';
const NOTHING = { questions: 0, updates: 0, chunks: 0 };

afterEach(async () => {
  await emptyTables(database.pool, 'question', 'question_import', 'outbox');
});

const step = (id: string, name: ImportStep) => stepImport(database.pool, id, name, ADMIN);

async function bank(): Promise<string[]> {
  const { rows } = await database.pool.query<{ question: string }>(
    'select question from question where retired_at is null order by question collate "C"',
  );
  return rows.map(({ question }) => question);
}

async function setState(id: string, state: string): Promise<void> {
  await database.pool.query('update question_import set state = $2 where id = $1', [id, state]);
}

describe('an import', () => {
  test('inserts the valid rows and reports the others', async () => {
    const file = [fileRow('A?'), fileRow('B?', { answer: '' }), fileRow('a?'), fileRow('C?')];
    const done = await importFile(database.pool, file);
    expect(done).toMatchObject({ state: 'completed', rows: 4, imported: 2, duplicates: 1 });
    expect(await reportOf(database.pool, done.id)).toEqual([
      '2 rejected answer blank',
      '3 duplicate',
    ]);
    expect(await bank()).toEqual(['A?', 'C?']);
  });

  test('deletes all chunks of its file, also when its worker dies at the end', async () => {
    const { id } = await importFile(database.pool, [fileRow('A?')]);
    expect(await tracesOf(database.pool, id)).toEqual({ ...NOTHING, questions: 1 });
    // The state between completion and cleanup.
    await database.pool.query(`insert into import_chunk values ($1, 0, 'x')`, [id]);
    await workOn(database.pool, id);
    expect(await tracesOf(database.pool, id)).toEqual({ ...NOTHING, questions: 1 });
  });

  test('does nothing when it is processed again', async () => {
    const done = await importFile(database.pool, [fileRow('A?')]);
    await workOn(database.pool, done.id);
    expect(await readImport(database.pool, done.id)).toEqual(done);
    const { rows } = await database.pool.query(
      `select from outbox where name = 'question.imported'`,
    );
    expect(rows).toHaveLength(1);
  });

  test('that is refused leaves nothing in the bank', async () => {
    const good = JSON.stringify(fileRow('A?'));
    const { id } = await importFile(database.pool, `[${good}, nix]`);
    expect(await readImport(database.pool, id)).toMatchObject({
      state: 'refused',
      refusal: { reason: 'not_json', row: 2, byte: good.length + 3 },
      is_removed: true,
    });
    expect(await tracesOf(database.pool, id)).toEqual(NOTHING);
  });

  test('fails after too many attempts, and the next one can begin', async () => {
    const id = await sendFile(database.pool, [fileRow('A?')]);
    await database.pool.query('update question_import set attempts = 25 where id = $1', [id]);
    await workOn(database.pool, id);
    const failed = { state: 'failed', is_removed: true, ended_at: expect.any(Date) };
    expect(await readImport(database.pool, id)).toMatchObject(failed);
    expect(await importFile(database.pool, [fileRow('A?')])).toMatchObject({ imported: 1 });
  });

  test('resets its attempts when a batch is inserted', async () => {
    const id = await sendFile(database.pool, [fileRow('A?')]);
    await database.pool.query('update question_import set attempts = 24 where id = $1', [id]);
    await workOn(database.pool, id);
    expect(await readImport(database.pool, id)).toMatchObject({ state: 'completed' });
  });

  test('fails, and does not end, when it loses the connection by which it reads its file', async () => {
    const id = await sendFile(database.pool, [fileRow('A?')]);
    const firstChunk = async () => {
      for await (const chunk of readChunks(database.pool, id, 0)) return chunk.toString();
      return null;
    };
    const lost = await withTransaction(database.pool, async (tx) => {
      await tx.query('lock table import_chunk in access exclusive mode');
      const reading = firstChunk().catch(String);
      const cut = () =>
        database.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query ~ '^copy'`,
        );
      await expect.poll(async () => (await cut()).rowCount).toBe(1);
      return reading;
    });
    expect(lost).toMatch(/terminating connection/);
    expect(await firstChunk()).toBe(JSON.stringify([fileRow('A?')]));
  });

  test('resumes where it was when its worker shut down', async () => {
    const id = await sendFile(database.pool, [fileRow('A?')]);
    // As if more of the file were still to arrive.
    await setState(id, 'receiving');
    const stopping = new AbortController();
    const working = withImportLock(database.pool, id, () =>
      processImport(database.pool, id, stopping.signal),
    );
    const attempts = async () => {
      const { rows } = await database.pool.query('select attempts from question_import');
      return rows[0]?.attempts as number;
    };
    await expect.poll(attempts).toBe(1);
    stopping.abort(new Error('the process ends'));
    await expect(working).rejects.toThrow('the process ends');
    expect(await attempts()).toBe(0);
    await setState(id, 'processing');
    await workOn(database.pool, id);
    expect(await readImport(database.pool, id)).toMatchObject({ state: 'completed', imported: 1 });
  });
});

describe('a dry run', () => {
  const dry = { dryRun: true } as const;

  test('reports what would happen, and keeps the questions hidden', async () => {
    const done = await importFile(database.pool, [fileRow('A?'), fileRow('a?'), {}], dry);
    expect(done).toMatchObject({ state: 'checked', imported: 1, duplicates: 1, rejected: 1 });
    expect(await tracesOf(database.pool, done.id)).toEqual({ ...NOTHING, questions: 1 });
  });

  test.each<[string, unknown[], string[]]>([
    ['with questions', [fileRow('A?'), fileRow('B?')], ['A?', 'B?']],
    ['without', [], []],
  ])('becomes an import when it is confirmed, %s', async (_name, file, questions) => {
    const { id } = await importFile(database.pool, file, dry);
    await step(id, 'confirm');
    await workOn(database.pool, id);
    expect(await readImport(database.pool, id)).toMatchObject({
      state: 'completed',
      dry_run: false,
      imported: questions.length,
      refusal: null,
    });
    expect(await bank()).toEqual(questions);
  });

  test('is removed when it is discarded', async () => {
    const { id } = await importFile(database.pool, [fileRow('A?')], dry);
    await step(id, 'discard');
    await workOn(database.pool, id);
    expect(await tracesOf(database.pool, id)).toEqual(NOTHING);
    expect(await readImport(database.pool, id)).toMatchObject({ is_removed: true });
  });

  test('is discarded when the next import begins, and its questions do not count as duplicates', async () => {
    const { id } = await importFile(database.pool, [fileRow('A?')], dry);
    const next = await importFile(database.pool, [fileRow('A?')]);
    expect(next).toMatchObject({ imported: 1, duplicates: 0 });
    expect(await readImport(database.pool, id)).toMatchObject({ state: 'discarded' });
    await expect(step(id, 'confirm')).rejects.toMatchObject({ code: 'import_state' });
    expect(await bank()).toEqual(['A?']);
  });
});

describe('a step', () => {
  const ALLOWED: Record<ImportStep, string[]> = {
    cancel: ['receiving', 'processing', 'paused'],
    confirm: ['checked'],
    discard: ['checked'],
    undo: ['completed'],
  };
  const STATES =
    'receiving processing paused checked completed refused cancelled discarded failed undoing undone';

  test.each(IMPORT_STEPS)('%s is allowed in its own states only, and is audited', async (name) => {
    const id = await sendFile(database.pool, []);
    for (const state of STATES.split(' ')) {
      await setState(id, state);
      const taken = step(id, name).then(
        () => 'taken',
        (error: { code: string; details: unknown }) => [error.code, error.details],
      );
      const refused = ['import_state', { state }];
      expect(await taken, state).toEqual(ALLOWED[name].includes(state) ? 'taken' : refused);
    }
    const { rows } = await database.pool.query('select from audit_entry where subject = $1', [id]);
    expect(rows).toHaveLength(1 + ALLOWED[name].length);
  });

  test('of an unknown import is refused', async () => {
    const taken = step(crypto.randomUUID(), 'undo');
    await expect(taken).rejects.toMatchObject({ code: 'import_not_found' });
  });

  test('cancel in the middle removes all rows of the import', async () => {
    const id = await sendFile(database.pool, [fileRow('A?')]);
    // A worker had inserted this before.
    await database.pool.query(
      `insert into question (language, topic, question, answer, incorrect, uuid, import_id)
       values ('no', 't', 'B?', 'a', '{b}', gen_random_uuid(), $1)`,
      [id],
    );
    await step(id, 'cancel');
    await workOn(database.pool, id);
    expect(await tracesOf(database.pool, id)).toEqual(NOTHING);
    expect(await readImport(database.pool, id)).toMatchObject({
      state: 'cancelled',
      is_removed: true,
    });
  });
});

describe('of two imports', () => {
  test('one waits while the other is worked on', async () => {
    const [first, second] = [
      await sendFile(database.pool, [fileRow('A?')]),
      await sendFile(database.pool, [fileRow('B?')]),
    ];
    await withImportLock(database.pool, first, async () => {
      expect(await workOn(database.pool, second)).toBe(false);
    });
    expect(await workOn(database.pool, second)).toBe(true);
  });

  test('the lock is released after a failure', async () => {
    const id = await sendFile(database.pool, [fileRow('A?')]);
    const failing = withImportLock(database.pool, id, () => Promise.reject(new Error('lost')));
    await expect(failing).rejects.toThrow('lost');
    expect(await workOn(database.pool, id)).toBe(true);
  });

  test('the interrupted one is resumed first', async () => {
    const [first, second] = [
      await sendFile(database.pool, [fileRow('A?')]),
      await sendFile(database.pool, [fileRow('A?')]),
    ];
    await database.pool.query('update question_import set bytes_done = 1 where id = $1', [first]);
    expect(await workOn(database.pool, second)).toBe(false);
    expect(await workOn(database.pool, first)).toBe(true);
    expect(await workOn(database.pool, second)).toBe(true);
    expect(await readImport(database.pool, second)).toMatchObject({ imported: 0, duplicates: 1 });
  });
});
