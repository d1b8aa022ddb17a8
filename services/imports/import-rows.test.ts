import { describe, expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { startChange } from '@proveklar/services/questions/start-bulk-change.ts';
import { importRows } from './import-rows.ts';

const database = useTestDatabase();
const row = (question: string, change: object = {}) => ({
  language: 'no',
  topic: 'Historie',
  question,
  answer: 'a',
  incorrect: ['b', 'c', 'd'],
  ...change,
});

describe('importing questions', () => {
  test('imports the valid rows and reports the faults of the others', async () => {
    const result = await importRows(
      database.pool,
      [
        row('One?'),
        row('Two?', { topic: ' ' }),
        row('Three?', { incorrect: ['b', 'b '] }),
        row('Four?', { incorrect: ['a'] }),
        row('Five?', { incorrect: 'b' }),
        row('Six?', { extra: 1 }),
        row('Seven?', { uuid: '0190163d-8694-739b-aea5-966c26f8ad91' }),
        { language: 'no' },
        null,
        row('Nine?', {
          explanation: 'Because.',
          group: 'g-9',
          tags: ['x'],
          checked_at: '2026-01-01',
        }),
      ],
      'test',
    );
    expect(result.imported).toBe(2);
    expect(result.rejected.map(({ row: number, faults }) => [number, faults[0]?.field])).toEqual([
      [2, 'topic'],
      [3, 'incorrect.1'],
      [4, 'incorrect.0'],
      [5, 'incorrect'],
      [6, 'extra'],
      [7, 'uuid'],
      [8, 'topic'],
      [9, ''],
    ]);
  });

  test('accepts a topic of 2,000 characters, and rejects one that cannot be stored', async () => {
    const random = (length: number, first: number) =>
      Array.from({ length }, () =>
        String.fromCodePoint(first + Math.floor(Math.random() * 32)),
      ).join('');
    const result = await importRows(
      database.pool,
      [
        row('Longest?', { topic: random(2000, 0x40) }),
        row('Longer?', { topic: 'x'.repeat(2001) }),
        // 4,000 bytes: more than an index entry holds, which would fail the whole import.
        row('Cyrillic?', { topic: random(2000, 0x430) }),
        // One character, which NFC turns into two.
        row('Longer as stored?', { topic: `${'x'.repeat(1800)}${'\u0958'.repeat(101)}` }),
        row('Short?'),
      ],
      'test',
    );
    expect(result.imported).toBe(2);
    expect(result.rejected).toMatchObject(
      [2, 3, 4].map((number) => ({
        row: number,
        faults: [{ field: 'topic', reason: 'too_long' }],
      })),
    );
  });

  test('imports a valid row beside one that cannot be stored', async () => {
    const rows = [
      row('Good beside bad?'),
      row('NUL \0?'),
      row('Half a pair \ud800?'),
      row('Before time?', { checked_at: '0000-01-01' }),
      row('Reserved?', { topic: 'Praktisk prøve' }),
      row('Reserved too?', { topic: ' all ' }),
      row('Reserved three?', { topic: 'Praktisk \u00a0prøve' }),
    ];
    const result = await importRows(database.pool, rows, 'test');
    expect(result).toMatchObject({ imported: 1, duplicates: 0 });
    expect(result.rejected.map((rejected) => rejected.row)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test('skips a question that the bank has, regardless of case and spaces', async () => {
    const result = await importRows(
      database.pool,
      [
        row('Hva er Ås?'),
        row('  hva  er ÅS? '),
        row('\tHva er Ås?\n'),
        row('Hva er A\u030As?'),
        row('Hva er Ås'),
      ],
      'test',
    );
    expect(result).toMatchObject({ imported: 2, duplicates: 3 });
    const again = await importRows(database.pool, [row('Hva er Ås?')], 'test');
    expect(again).toMatchObject({ imported: 0, duplicates: 1 });
    const english = [row('Hva er Ås?', { language: 'en' })];
    expect(await importRows(database.pool, english, 'test')).toMatchObject({ imported: 1 });
  });

  test('leaves the questions pending until they are validated', async () => {
    const { import_id } = await importRows(database.pool, [row('Pending?')], 'test');
    const pending = () =>
      database.pool
        .query('select validated from question where import_id = $1', [import_id])
        .then(({ rows }) => rows);
    expect(await pending()).toEqual([{ validated: false }]);
    const validation = await startChange(database.pool, {
      action: 'validate',
      topic: undefined,
      selection: { import_id },
      actor: 'test',
    });
    expect(validation.changed).toBe(1);
    expect(await pending()).toEqual([{ validated: true }]);
  });
});
