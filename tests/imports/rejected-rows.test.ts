import { afterEach, describe, expect, test } from 'vitest';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { useTestDatabase } from '#support/database.ts';
import { fileRow, importFile, reportOf } from '#support/imports.ts';
import { rejectedRows } from '@proveklar/services/imports/write-report.ts';
import { ROW_TEXTS } from '@proveklar/services/imports/row-texts.ts';

const database = useTestDatabase();

afterEach(async () => {
  await database.pool.query('truncate question, question_import, outbox cascade');
});

async function rejectedOf(id: string, language: 'no' | 'en' = 'no'): Promise<string> {
  const { content } = await rejectedRows(database.pool, id, language);
  return (await Array.fromAsync(content)).join('');
}

describe('the file of rejected rows', () => {
  test('in JSON has the rows as they were sent, each with its reason, and is imported once mended', async () => {
    const done = await importFile(database.pool, [
      fileRow('A?'),
      fileRow('B?', { incorrect: ['c', 'a'], tags: ['x'], color: 'red' }),
      'no row',
      fileRow('a?', { answer: 'other' }),
      fileRow('A?'),
    ]);
    expect(done).toMatchObject({ imported: 1, rejected: 2, duplicates: 2, differing: 1 });
    const rows = JSON.parse(await rejectedOf(done.id)) as Record<string, unknown>[];
    expect(rows).toEqual([
      {
        ...fileRow('B?', { incorrect: ['c', 'a'], tags: ['x'], color: 'red' }),
        rejected_because: 'Rad 2, linje 1: color er ikke et felt vi kjenner',
      },
      {
        question: 'no row',
        rejected_because: 'Rad 3, linje 1: Raden er ikke et objekt med felter',
      },
      {
        ...fileRow('a?', { answer: 'other' }),
        rejected_because: 'Rad 4, linje 1: Samme spørsmål finnes med et annet riktig svar: a',
      },
    ]);
    const [b, , a] = rows;
    const { color: _color, ...mended } = b as { color: string };
    const again = await importFile(database.pool, [
      { ...mended, incorrect: ['c', 'd'] },
      { ...a, question: 'Another A?' },
    ]);
    expect(again).toMatchObject({ imported: 2, rejected: 0 });
  });

  test('in CSV has the columns and cells of the file, and is imported once mended', async () => {
    const file = 'Språk;Tema;Spørsmål;Riktig svar;Galt svar 1;Galt svar 2;Sist sjekket\r\n';
    const bad = 'no;Historie;"Når;\r\n""da""?";1814;1905;1814;15.01.2026\r\n';
    const bytes = Buffer.from(`${file}no;Historie;Hvem?;a;b;c;\r\n${bad}`, 'latin1');
    const done = await importFile(database.pool, bytes, { format: 'csv' });
    expect(done).toMatchObject({
      imported: 1,
      rejected: 1,
      columns: { delimiter: ';', encoding: 'windows-1252' },
    });
    expect(await reportOf(database.pool, done.id)).toEqual([
      '2 rejected incorrect.1 same_as_answer',
    ]);
    const rejected = await rejectedOf(done.id);
    expect(rejected).toBe(
      `\uFEFF${file.trim()};Årsak\r\n${bad.trim()};Rad 2, linje 3: Galt svar 2 er det samme som det riktige svaret\r\n`,
    );
    const mended = rejected.replace('1905;1814', '1905;1945');
    const again = await importFile(database.pool, mended, { format: 'csv' });
    expect(again).toMatchObject({ imported: 1, rejected: 0 });
  });

  test('leaves out rows that could not be read, and keeps characters that PostgreSQL cannot store', async () => {
    const file = `[${JSON.stringify(fileRow('\0 \ud800?'))}, ${'['.repeat(20)}${']'.repeat(20)}]`;
    const done = await importFile(database.pool, file);
    expect(done).toMatchObject({ rejected: 2 });
    const rows = JSON.parse(await rejectedOf(done.id, 'en')) as { question: string }[];
    expect(rows.map(({ question }) => question)).toEqual(['\0 \ud800?']);
  });
});

test('texts of downloaded rows are those of the screen', () => {
  for (const [language, { import: texts }] of [
    ['no', adminNo],
    ['en', adminEn],
  ] as const) {
    const { fault, warning, cleaned, differs, field_name } = texts;
    expect(ROW_TEXTS[language]).toEqual({ fault, warning, cleaned, differs, field_name });
  }
});
