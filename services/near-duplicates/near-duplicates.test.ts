import { afterEach, describe, expect, test } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow, importFile, workOn } from '@proveklar/tests/support/imports.ts';
import { stepImport } from '#imports/end-import.ts';
import { readImport } from '#imports/read-imports.ts';
import {
  cancelNearDuplicates,
  dismissNearDuplicate,
  listNearDuplicates,
  listSameAnswered,
} from './near-duplicates.ts';
import { findNearDuplicates } from './find-near-duplicates.ts';
import { signatureOf } from './signatures.ts';

const database = useTestDatabase();
const ADMIN = 'admin@example.no';
const OLD = 'Hvem underskrev Grunnloven på Eidsvoll den 17. mai 1814?';
const NEW = 'Hvem underskrev grunloven på Eidsvoll den 17. mai i 1814?';
const OTHER = 'Hva heter den største innsjøen i Norge?';

afterEach(async () => {
  await emptyTables(database.pool, 'question', 'question_import', 'outbox');
});

const search = (id: string) => findNearDuplicates(database.pool, id, async () => {});
const importRows = async (...rows: unknown[]) => (await importFile(database.pool, rows)).id;
const progress = async (id: string) => (await readImport(database.pool, id)).near_duplicates;

/** Imports rows and completes the search for their near-duplicates. */
async function searched(...rows: unknown[]): Promise<string> {
  const id = await importRows(...rows);
  await search(id);
  return id;
}

async function pairsOf(id: string): Promise<string[][]> {
  const { pairs, total } = await listNearDuplicates(database.pool, id, { page: 1 });
  expect(total).toBe(pairs.length);
  return pairs.map(({ question, similar }) => [question.question, similar.question]);
}

async function idOf(question: string): Promise<number> {
  const { rows } = await database.pool.query('select id from question where question = $1', [
    question,
  ]);
  return rows[0].id as number;
}

describe('the search for near-duplicates', () => {
  test('finds the most similar older question, in the bank or in the file', async () => {
    await searched(fileRow(OLD), fileRow(`${OLD} Nevn flere.`), fileRow(OTHER));
    const id = await searched(
      fileRow(NEW),
      fileRow('Hva heter den minste byen i Nord-Norge?'),
      fileRow('Hvor mange fylker er det i Norge nå?'),
      fileRow('Hvor mange fylker er det nå i Norge?'),
    );
    expect(await pairsOf(id)).toEqual([
      ['Hvor mange fylker er det nå i Norge?', 'Hvor mange fylker er det i Norge nå?'],
      [NEW, OLD],
    ]);
    expect(await progress(id)).toEqual({ state: 'done', checked: 4, total: 4, found: 2 });
  });

  test('compares within a language only, and skips retired questions', async () => {
    await searched(fileRow(OLD, { language: 'en' }), fileRow(OTHER));
    await database.pool.query('update question set retired_at = now() where question = $1', [
      OTHER,
    ]);
    const id = await searched(fileRow(NEW), fileRow('Hva heter den største innsjø i Norge?'));
    expect(await pairsOf(id)).toEqual([]);
  });

  test('compares the current text of an edited question', async () => {
    await searched(fileRow(OTHER));
    await database.pool.query('update question set question = $1', [OLD]);
    const id = await searched(fileRow(NEW), fileRow('Hva heter den største innsjø i Norge?'));
    expect(await pairsOf(id)).toEqual([[NEW, OLD]]);
  });

  test('tells pairs with the same answer from others, and names their newer or older questions', async () => {
    await searched(fileRow(OLD), fileRow(OTHER, { answer: 'Mjøsa' }));
    const id = await searched(
      fileRow(NEW, { answer: ' A' }),
      fileRow(`${NEW} Nevn tre.`),
      fileRow('Hva heter den minste innsjøen i Norge?', { answer: 'x' }),
    );
    const listed = async (answer: 'same' | 'different') => {
      const { pairs, ...counts } = await listNearDuplicates(database.pool, id, { page: 1, answer });
      return [pairs.map(({ question }) => question.question).toSorted(), counts];
    };
    expect(await listed('same')).toEqual([
      [NEW, `${NEW} Nevn tre.`].toSorted(),
      { total: 2, same: 2, different: 1 },
    ]);
    expect(await listed('different')).toEqual([
      ['Hva heter den minste innsjøen i Norge?'],
      { total: 1, same: 2, different: 1 },
    ]);
    const [old, first, second] = [await idOf(OLD), await idOf(NEW), await idOf(`${NEW} Nevn tre.`)];
    expect(await listSameAnswered(database.pool, id, 'newer')).toEqual([first, second]);
    expect(await listSameAnswered(database.pool, id, 'older')).toEqual([old, first]);
  });

  test('finds questions from before signatures existed', async () => {
    await importRows(fileRow(OLD));
    await database.pool.query('delete from near_duplicate_search');
    const id = await searched(fileRow(NEW));
    expect(await pairsOf(id)).toEqual([[NEW, OLD]]);
  });

  test('changes nothing when it is repeated', async () => {
    await searched(fileRow(OLD));
    const id = await searched(fileRow(NEW));
    const before = await progress(id);
    await search(id);
    expect(await progress(id)).toEqual(before);
  });

  test('resumes where it stopped, and counts each question once', async () => {
    await searched(fileRow(OLD));
    const rows = Array.from({ length: 250 }, (_, n) => fileRow(`Spørsmål nummer ${n} av alle?`));
    const id = await importRows(...rows, fileRow(NEW));
    const lost = new Error('lost');
    let notified = 0;
    const failing = findNearDuplicates(database.pool, id, async () => {
      notified += 1;
      throw lost;
    });
    await expect(failing).rejects.toBe(lost);
    expect(notified).toBe(1);
    expect(await progress(id)).toMatchObject({ state: 'searching', checked: 100 });
    await search(id);
    expect(await progress(id)).toMatchObject({ state: 'done', checked: 251, total: 251 });
    const { rows: pairs } = await database.pool.query(
      'select similar_id from near_duplicate where question_id = $1',
      [await idOf(NEW)],
    );
    expect(pairs).toEqual([{ similar_id: await idOf(OLD) }]);
  });

  test('stays cancelled, and cannot be cancelled twice', async () => {
    const id = await importRows(fileRow(OLD), fileRow(NEW));
    await cancelNearDuplicates(database.pool, id, ADMIN);
    await search(id);
    expect(await progress(id)).toEqual({ state: 'cancelled', checked: 0, total: 2, found: 0 });
    const again = cancelNearDuplicates(database.pool, id, ADMIN);
    await expect(again).rejects.toMatchObject({
      code: 'import_state',
      details: { near_duplicates: 'cancelled' },
    });
  });

  test('does not run for an import without new questions', async () => {
    await importRows(fileRow(OLD));
    expect(await progress(await importRows(fileRow(OLD)))).toBeNull();
    const dry = await importFile(database.pool, [fileRow(NEW)], { dryRun: true });
    expect(dry.near_duplicates).toBeNull();
  });
});

describe('a pair of near-duplicates', () => {
  async function pair(): Promise<string> {
    await searched(fileRow(OLD));
    const id = await searched(fileRow(NEW));
    expect(await pairsOf(id)).toHaveLength(1);
    return id;
  }

  test('is hidden while a question is retired or has another text', async () => {
    const id = await pair();
    for (const [change, back] of [
      ['retired_at = now()', 'retired_at = null'],
      [`question = '${OTHER}'`, `question = '${NEW}'`],
    ]) {
      const set = (what: string) =>
        database.pool.query(`update question set ${what} where import_id = $1`, [id]);
      await set(change!);
      expect(await pairsOf(id)).toEqual([]);
      await set(back!);
      expect(await pairsOf(id)).toHaveLength(1);
    }
  });

  test('is deleted when its import is undone', async () => {
    const id = await pair();
    await stepImport(database.pool, id, 'undo', ADMIN);
    await workOn(database.pool, id);
    expect(await pairsOf(id)).toEqual([]);
    expect(await progress(id)).toBeNull();
    const { rows } = await database.pool.query('select from near_duplicate');
    expect(rows).toEqual([]);
  });

  test('is not listed while it is dismissed, which the audit log has once', async () => {
    const id = await pair();
    const question = await idOf(NEW);
    const dismiss = (dismissed: boolean) =>
      dismissNearDuplicate(database.pool, { importId: id, question, dismissed, actor: ADMIN });
    await dismiss(true);
    await dismiss(true);
    expect(await pairsOf(id)).toEqual([]);
    await dismiss(false);
    expect(await pairsOf(id)).toHaveLength(1);
    const { rows } = await database.pool.query(
      `select action from audit_entry where action like 'question.near%' and subject = $1
       order by id`,
      [String(question)],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'question.near_duplicate_dismissed',
      'question.near_duplicate_reopened',
    ]);
  });
});

describe('the signature of a text', () => {
  const shared = (a: string, b: string) => {
    const bands = signatureOf('no', b);
    return signatureOf('no', a).filter((band, index) => band === bands[index]).length;
  };

  test('is stable, and ignores case and word order', () => {
    expect(signatureOf('no', 'Hva er Norge?').slice(0, 3)).toMatchInlineSnapshot(`
      [
        -1355335349,
        1465935555,
        -1996829836,
      ]
    `);
    expect(shared('Hva er Norge?', 'norge ER hva')).toBe(20);
    expect(signatureOf('no', OLD)).not.toEqual(signatureOf('en', OLD));
  });

  test('shares bands with that of a similar text only', () => {
    expect(shared(OLD, NEW)).toBeGreaterThan(3);
    expect(shared(OLD, OTHER)).toBe(0);
    expect(signatureOf('no', '???')).toHaveLength(20);
  });
});
