import { afterEach, describe, expect, test } from 'vitest';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { emptyTables, useTestDatabase } from '#support/database.ts';
import { fileRow, importFile, reportOf } from '#support/imports.ts';
import { readWorkbook, rowOf, sheetOf, xlsxOf } from '#support/xlsx.ts';
import { readReport } from '@proveklar/services/imports/read-report.ts';
import { rejectedRows } from '@proveklar/services/imports/write-report.ts';
import {
  MAX_DISTRACTORS,
  MAX_EXCLUDED_GROUPS,
  MAX_EXPLANATION_LENGTH,
  MAX_IMAGE_ALT_LENGTH,
  MAX_TAGS,
  MAX_TEXT_LENGTH,
} from '@proveklar/contract/limits.ts';
import { ROW_TEXTS } from '@proveklar/services/imports/row-texts.ts';

const database = useTestDatabase();

afterEach(async () => {
  await emptyTables(database.pool, 'question', 'question_import', 'outbox');
});

async function rejectedOf(id: string, language: 'no' | 'en' = 'no'): Promise<string> {
  return (await fileOf(id, language)).toString();
}

async function fileOf(id: string, language: 'no' | 'en'): Promise<Buffer> {
  const { content } = await rejectedRows(database.pool, id, language);
  return Buffer.concat((await Array.fromAsync(content)).map((piece) => Buffer.from(piece)));
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
        rejected_because: `Rad 2, linje 1: color ${adminNo.import.fault.unknown_field}`,
      },
      {
        question: 'no row',
        rejected_because: `Rad 3, linje 1: ${adminNo.import.fault.not_an_object}`,
      },
      {
        ...fileRow('a?', { answer: 'other' }),
        rejected_because: `Rad 4, linje 1: ${adminNo.import.differs.answer.replace('{{known}}', 'a')}`,
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
      `\uFEFF${file.trim()};Årsak\r\n${bad.trim()};Rad 2, linje 3: Galt svar 2 ${adminNo.import.fault.same_as_answer}\r\n`,
    );
    const mended = rejected.replace('1905;1814', '1905;1945');
    const again = await importFile(database.pool, mended, { format: 'csv' });
    expect(again).toMatchObject({ imported: 1, rejected: 0 });
  });

  test('calls the columns of a table what the file calls them', async () => {
    const file =
      'lang,category,question text,key,wrong answer 1,wrong answer 2,wrong answer 3,why wrong 3,Last checked\n' +
      'norsk,t,A?,a,,b,b,,soon\n' +
      'no,t,B?,a,b,,,,\n' +
      'no,t,C?,,,,,,\n';
    const done = await importFile(database.pool, file, { format: 'csv' });
    const { fault } = adminEn.import;
    const reasons = (await rejectedOf(done.id, 'en')).trim().split('\r\n').slice(1);
    expect(reasons.map((line) => /Row.*$/.exec(line)?.[0])).toEqual([
      `Row 1, line 2: lang ${fault.language_code}. Last checked ${fault.not_a_date}`,
      `Row 3, line 4: key ${fault.missing}. List of wrong answers ${fault.missing}`,
    ]);
    const repeated = file
      .split('\n')
      .slice(0, 2)
      .join('\n')
      .replace('norsk', 'no')
      .replace('soon', '');
    const again = await importFile(database.pool, repeated, { format: 'csv' });
    expect(await rejectedOf(again.id, 'en')).toContain(
      `Row 1, line 2: wrong answer 3 ${fault.same_twice}`,
    );
  });

  test('of a workbook is a workbook with its headings and cells, and is imported once mended', async () => {
    const headings = ['Merknad', 'Språk', 'Tema', 'Spørsmål', 'Riktig svar', 'Galt svar 1'];
    const cell = (text: string) => rowOf([text]).slice(6, -6);
    const rows = [
      rowOf([...headings, 'Årsak', 'Sist sjekket', 'Sjekkes på nytt']),
      `<row>${['m', 'no', 'Ærlig', 'A?', '=1+1', 'b'].map(cell).join('')}</row>`,
      `<row>${['m', 'no', 'Ærlig', 'Når?'].map(cell).join('')}<c><f>2*907</f><v>1814</v></c><c><v>1814</v></c>` +
        `${cell('Rad 9: for lengst rettet')}<c s="1"><v>46037.5</v></c><c><v>2030</v></c></row>`,
      `<row>${['m', 'no', 'Ærlig', 'B?', 'a'].map(cell).join('')}<c s="2"><v>0.07</v></c>${cell('')}${cell('31.02.2026')}</row>`,
      `<row>${['m', 'no', 'Ærlig', 'a?', '=2', 'b'].map(cell).join('')}${cell('')}<c s="1"><v>46037</v></c></row>`,
    ];
    const workbook = xlsxOf({
      sheets: { Ark1: sheetOf(rows.join('')) },
      styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/></cellXfs>',
    });
    const columns = [
      '',
      'language',
      'topic',
      'question',
      'answer',
      'incorrect_1',
      'rejected_because',
    ];
    const chosen = [...columns, 'checked_at', 'ages'];
    // Its sender takes it for something else.
    const done = await importFile(database.pool, workbook, { format: 'csv', columns: chosen });
    expect(done).toMatchObject({ imported: 1, rejected: 2, differing: 1 });
    // The report has the day that is none as it stands in the file.
    const [, wrong] = await readReport(database.pool, done.id, {
      after: 0,
      limit: 10,
      outcome: 'rejected',
    });
    expect(wrong!.faults.map(({ value }) => value)).toEqual(['31.02.2026']);
    const file = await rejectedRows(database.pool, done.id, 'no');
    expect([file.extension, file.type]).toEqual([
      'xlsx',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    const rejected = await readWorkbook(await fileOf(done.id, 'no'));
    expect(rejected.headings).toEqual([...headings, 'Sist sjekket', 'Sjekkes på nytt', 'Årsak']);
    const { fault, differs } = adminNo.import;
    expect(rejected.rows.map(({ cells, kinds }) => ({ cells, kinds }))).toEqual([
      {
        cells: [
          'm',
          'no',
          'Ærlig',
          'Når?',
          '1814',
          '1814',
          '2026-01-15',
          '2030',
          `Rad 2, rad 3 i Excel: Galt svar 1 ${fault.same_as_answer}`,
        ],
        kinds: { 4: 'number', 5: 'number', 6: 'date', 7: 'number' },
      },
      {
        cells: [
          'm',
          'no',
          'Ærlig',
          'B?',
          'a',
          '7 %',
          '31.02.2026',
          '',
          `Rad 3, rad 4 i Excel: Sist sjekket ${fault.not_a_date}`,
        ],
        kinds: { 5: 'percent' },
      },
      {
        // A column that was not read is known of rows that were not read only.
        cells: [
          '',
          'no',
          'Ærlig',
          'a?',
          '=2',
          'b',
          '2026-01-15',
          '',
          `Rad 4, rad 5 i Excel: ${differs.answer.replace('{{known}}', '=1+1')}`,
        ],
        kinds: { 6: 'date' },
      },
    ]);
    const mended = rejected.rows.map(({ cells = [] }, row) =>
      cells.map((text, place) => (place === 3 ? `Rettet ${row}?` : text)),
    );
    mended[0]![5] = '1905';
    mended[1]![6] = '28.02.2026';
    const again = await importFile(
      database.pool,
      xlsxOf({
        sheets: {
          Ark1: sheetOf([rejected.headings, ...mended].map((cells) => rowOf(cells)).join('')),
        },
      }),
      {
        format: 'xlsx',
        columns: ['', ...columns.slice(1, -1), 'checked_at', 'ages', 'rejected_because'],
      },
    );
    expect(again).toMatchObject({ imported: 3, rejected: 0, duplicates: 0 });
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

test('messages about rows name the limits that apply', () => {
  for (const { fault } of [adminNo.import, adminEn.import]) {
    const numbers = (text: string) => text.match(/\d+/g)?.map(Number);
    expect(numbers(fault.too_long)).toEqual([
      MAX_EXPLANATION_LENGTH,
      MAX_IMAGE_ALT_LENGTH,
      MAX_TEXT_LENGTH,
    ]);
    expect(numbers(fault.too_many)).toEqual([MAX_DISTRACTORS, MAX_TAGS, MAX_EXCLUDED_GROUPS]);
  }
});
