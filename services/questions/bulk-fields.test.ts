import { beforeEach, expect, test } from 'vitest';
import type { ChangeValues, QuestionChangeAction } from '@proveklar/contract/question-changes.ts';
import { addQuestions } from '@proveklar/tests/support/factories.ts';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { startChange, undoChange } from './start-bulk-change.ts';

const database = useTestDatabase();

const row = (n: number, more: object = {}) => ({
  language: 'no',
  topic: 'Historie',
  question: `Spørsmål ${n}?`,
  answer: 'ja',
  incorrect: ['nei'],
  tags: ['a', 'b'],
  ...more,
});

beforeEach(async () => {
  await emptyTables(database.pool, 'question', 'question_change');
});

const add = (rows: object[]) => addQuestions(database.pool, rows, 'test');
const start = (action: QuestionChangeAction, values: ChangeValues) =>
  startChange(database.pool, {
    action,
    topic: undefined,
    values,
    selection: { filter: {} },
    actor: 'test',
  });
const undo = (id: string) => undoChange(database.pool, id, 'test');
const column = async (expression: string) => {
  const { rows } = await database.pool.query<{ value: unknown }>(
    `select ${expression} as value from question order by id`,
  );
  return rows.map(({ value }) => value);
};

test('tags are added at the end and taken away, and an undo leaves later tags alone', async () => {
  await add([row(1), row(2, { tags: ['c', 'd'] }), row(3, { tags: [] })]);
  const added = await start('add_tags', { tags: ['c', 'b'] });
  expect(added.changed).toBe(3);
  expect(await column('tags')).toEqual([
    ['a', 'b', 'c'],
    ['c', 'd', 'b'],
    ['c', 'b'],
  ]);
  await database.pool.query(`update question set tags = tags || '{later}'::text[]`);
  await undo(added.id);
  expect(await column('tags')).toEqual([['a', 'b', 'later'], ['c', 'd', 'later'], ['later']]);

  const removed = await start('remove_tags', { tags: ['a', 'later', 'x'] });
  expect(await column('tags')).toEqual([['b'], ['c', 'd'], []]);
  await undo(removed.id);
  expect(await column('tags')).toEqual([['b', 'a', 'later'], ['c', 'd', 'later'], ['later']]);
  expect(await column('version')).toEqual([1, 1, 1]);
});

test('a question does not get more tags than it may have', async () => {
  const many = Array.from({ length: 19 }, (_, index) => `t${index}`);
  await add([row(1, { tags: many }), row(2)]);
  expect(await start('add_tags', { tags: ['x', 'y'] })).toMatchObject({ total: 2, changed: 1 });
  expect(await column('cardinality(tags)')).toEqual([19, 4]);
});

test('source and date are set, archived where learners see them, and undone unless changed since', async () => {
  await add([row(1, { source_url: 'https://example.no/a', source_title: 'A' }), row(2)]);
  const source = await start('set_source', { source_url: 'https://example.no/b' });
  expect(await column(`source_url || coalesce(source_title, '-')`)).toEqual([
    'https://example.no/b-',
    'https://example.no/b-',
  ]);
  expect(await column('version')).toEqual([2, 2]);
  await database.pool.query(
    `update question set source_url = 'https://example.no/c' where question = 'Spørsmål 2?'`,
  );
  await undo(source.id);
  expect(await column('source_url')).toEqual(['https://example.no/a', 'https://example.no/c']);
  expect(await column('source_title')).toEqual(['A', null]);

  const date = await start('set_checked', { checked_at: '2026-11-25' });
  expect(await column('checked_at::text')).toEqual(['2026-11-25', '2026-11-25']);
  await undo(date.id);
  expect(await column('checked_at')).toEqual([null, null]);
});

test('a language is not set where the bank has the text, or a translation in the group, already', async () => {
  await add([
    row(1),
    row(2),
    row(2, { language: 'en' }),
    row(3, { group: 'g' }),
    row(4, { language: 'en', group: 'g' }),
    row(5, { language: 'sv' }),
    row(5, { language: 'da' }),
  ]);
  const change = await start('set_language', { language: 'en' });
  expect(change).toMatchObject({ state: 'completed', total: 7, changed: 2 });
  const after = ['en', 'no', 'en', 'no', 'en', 'en', 'da'];
  expect(await column('language')).toEqual(after);
  await undo(change.id);
  expect(await column('language')).toEqual(['no', 'no', 'en', 'no', 'en', 'sv', 'da']);
});

test.each<[QuestionChangeAction, ChangeValues, string]>([
  ['add_tags', {}, 'tags'],
  ['add_tags', { tags: [' a'] }, 'tags'],
  ['set_language', { tags: ['a'] }, 'language'],
  ['validate', { tags: ['a'] }, 'tags'],
  ['set_source', { checked_at: null }, 'source_url'],
])('%s is refused with %j', async (action, values, field) => {
  await expect(start(action, values)).rejects.toMatchObject({
    code: 'validation_failed',
    details: { field },
  });
});
