import { beforeEach, expect, test } from 'vitest';
import {
  deleteQuestion,
  editQuestion,
  lockQuestion,
} from '@proveklar/services/questions/edit-question.ts';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow } from '@proveklar/tests/support/imports.ts';
import { planRelease, seedQuestions, undoSeed } from './seed-questions.ts';

const database = useTestDatabase();
const ADMIN = 'admin@example.no';

const row = (group: string, question: string, change: object = {}) =>
  fileRow(question, { group, tags: ['valg'], ...change });
const OLD = [row('a-001', 'A?'), row('a-002', 'B?'), row('a-003', 'C?')];
/** A has another text and key, B is as before, C is dropped, and D is new. */
const NEW = [row('a-001', 'A nå?', { answer: 'b', incorrect: ['a'] }), OLD[1]!, row('a-004', 'D?')];

beforeEach(async () => {
  await database.pool.query(
    'truncate question, question_import, question_change, bank_question, bank_release cascade',
  );
  await seedQuestions(database.pool, OLD);
});

async function bank(): Promise<string[]> {
  const { rows } = await database.pool.query<{ known: string }>(
    `select concat_ws(' ', question, answer, 'v' || version,
              case when retired_at is not null then 'retired' when validated then 'valid' end) as known
     from question order by id`,
  );
  return rows.map(({ known }) => known);
}

const idOf = async (group: string): Promise<number> => {
  const { rows } = await database.pool.query<{ id: number }>(
    'select id from question where translation_group = $1',
    [group],
  );
  return rows[0]!.id;
};

/** An administrator changes the explanation. */
async function edit(group: string): Promise<void> {
  const current = await withTransaction(database.pool, async (tx) =>
    lockQuestion(tx, await idOf(group)),
  );
  await editQuestion(database.pool, {
    question: current.id,
    version: current.version,
    content: { ...current, explanation: 'Fordi.' },
    actor: ADMIN,
  });
}

test('a release updates, retires and adds, and a second time changes nothing', async () => {
  expect(await seedQuestions(database.pool, NEW)).toMatchObject({
    updated: 1,
    retired: 1,
    unchanged: 1,
    imported: 1,
    kept: [],
  });
  const after = ['A nå? b v2 valid', 'B? a v1 valid', 'C? a v1 retired', 'D? a v1 valid'];
  expect(await bank()).toEqual(after);
  expect(await seedQuestions(database.pool, NEW)).toMatchObject({
    release: null,
    updated: 0,
    retired: 0,
    imported: 0,
  });
  expect(await bank()).toEqual(after);
  const { rows: versions } = await database.pool.query(
    'select version, question, answer, replaced_by from question_version',
  );
  expect(versions).toEqual([{ version: 1, question: 'A?', answer: 'a', replaced_by: 'bank' }]);
});

test('a database from before there were releases is updated too', async () => {
  await database.pool.query('truncate bank_question, bank_release cascade');
  expect(await seedQuestions(database.pool, NEW)).toMatchObject({ updated: 1, imported: 1 });
  // Without a note that C was ours, it stays.
  expect(await bank()).toEqual([
    'A nå? b v2 valid',
    'B? a v1 valid',
    'C? a v1 valid',
    'D? a v1 valid',
  ]);
});

test('what administrators have edited or deleted stays, and is listed', async () => {
  await edit('a-001');
  await edit('a-003');
  await deleteQuestion(database.pool, { question: await idOf('a-002'), actor: ADMIN });
  expect(await seedQuestions(database.pool, NEW)).toMatchObject({
    updated: 0,
    retired: 0,
    kept: [
      { group: 'a-001', language: 'no', reason: 'edited' },
      { group: 'a-002', language: 'no', reason: 'deleted' },
      { group: 'a-003', language: 'no', reason: 'edited' },
    ],
  });
  expect(await bank()).toEqual(['A? a v2 valid', 'C? a v2 valid', 'D? a v1 valid']);
});

test('a new text that another question has already is left out', async () => {
  await seedQuestions(database.pool, [...OLD, fileRow('A nå?')]);
  expect(await seedQuestions(database.pool, NEW)).toMatchObject({
    updated: 0,
    kept: [{ group: 'a-001', language: 'no', reason: 'duplicate' }],
  });
});

test('a plan names the changes and makes none', async () => {
  const before = await bank();
  const { missing, ...plan } = await planRelease(database.pool, NEW);
  expect(plan).toMatchObject({ release: null, updated: 1, retired: 1, unchanged: 1, kept: [] });
  expect(missing.map(({ group }) => group)).toEqual(['a-004']);
  expect(await bank()).toEqual(before);
});

test('an undo restores everything but what was edited since, and the release can be applied again', async () => {
  await seedQuestions(database.pool, NEW);
  expect(await undoSeed(database.pool)).toEqual({ restored: 2 });
  expect(await bank()).toEqual(['A? a v3 valid', 'B? a v1 valid', 'C? a v1 valid']);
  await seedQuestions(database.pool, NEW);
  expect(await bank()).toEqual([
    'A nå? b v4 valid',
    'B? a v1 valid',
    'C? a v1 retired',
    'D? a v1 valid',
  ]);
  await edit('a-001');
  expect(await undoSeed(database.pool)).toEqual({ restored: 1 });
  expect((await bank())[0]).toBe('A nå? b v5 valid');
});

test('two releases are undone one by one', async () => {
  const third = [row('a-001', 'A til slutt?'), ...NEW.slice(1)];
  await seedQuestions(database.pool, NEW);
  await seedQuestions(database.pool, third);
  await undoSeed(database.pool);
  expect((await bank())[0]).toBe('A nå? b v4 valid');
  await undoSeed(database.pool);
  expect((await bank())[0]).toBe('A? a v5 valid');
  // The first seed only added questions.
  await undoSeed(database.pool);
  expect(await bank()).toEqual([]);
  expect(await undoSeed(database.pool)).toBeNull();
});

test('a release brings, changes and takes away a picture, and an undo restores it', async () => {
  const pictures = async () => {
    const { rows } = await database.pool.query(
      `select image_alt, areas from question where translation_group = 'a-001'`,
    );
    return rows[0];
  };
  const image = (color: string) =>
    `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1" fill="${color}"/>`;
  const areas = ['a', 'b', 'c', 'd'].map((name) => ({ name, shape: '1,1 2,2 3,3' }));
  const withRed = [
    row('a-001', 'A?', { image: image('red'), image_alt: 'Rødt', areas }),
    ...OLD.slice(1),
    row('a-004', 'D?', { image: image('red'), image_alt: 'Også rødt' }),
  ];
  const withBlue = [
    row('a-001', 'A?', { image: image('blue'), image_alt: 'Blått' }),
    ...withRed.slice(1),
  ];
  expect(await seedQuestions(database.pool, withRed)).toMatchObject({ updated: 1, imported: 1 });
  expect(await seedQuestions(database.pool, withRed)).toMatchObject({ updated: 0, unchanged: 4 });
  expect(await pictures()).toEqual({ image_alt: 'Rødt', areas });
  expect(await seedQuestions(database.pool, withBlue)).toMatchObject({ updated: 1 });
  expect(await pictures()).toEqual({ image_alt: 'Blått', areas: null });
  await undoSeed(database.pool);
  expect(await pictures()).toEqual({ image_alt: 'Rødt', areas });
});
