import { describe, expect, test } from 'vitest';
import { MAX_GLOSSARY_ENTRIES } from '@proveklar/contract/limits.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import {
  applyBankGlossary,
  exportGlossary,
  importGlossary,
  undoGlossary,
} from './glossary-file.ts';
import {
  changeEntry,
  createEntry,
  deleteEntry,
  listGlossary,
  readGlossary,
  type GlossaryContent,
} from './glossary.ts';

const database = useTestDatabase();
const ACTOR = 'Editor@example.no';

const entry = (word: string, more: Partial<GlossaryContent> = {}): GlossaryContent => ({
  word,
  forms: [],
  norwegian: `Forklaring av ${word}.`,
  english: `the English of ${word}`,
  ...more,
});
const empty = () => database.pool.query('delete from glossary_entry');
const contents = async () =>
  (await readGlossary(database.pool)).map(({ word, forms, norwegian, english }) => ({
    word,
    forms,
    norwegian,
    english,
  }));
const importRows = (...rows: string[]) =>
  importGlossary(database.pool, ACTOR, ['word;forms;norwegian;english', ...rows].join('\r\n'));
const lastAction = async () => {
  const { rows } = await database.pool.query<object>(
    'select actor, action, subject, details from audit_entry order by id desc limit 1',
  );
  return rows[0];
};

describe('an entry of the glossary', () => {
  test('is stored tidily, with who added it, and recorded', async () => {
    await empty();
    const created = await createEntry(
      database.pool,
      ACTOR,
      entry('  Fag \u00a0forening ', {
        forms: ['fag forening', 'a\u030Ar', 'år', 'Fagforeningen'],
      }),
    );
    expect(created).toMatchObject({
      word: 'Fag forening',
      forms: ['år', 'Fagforeningen'],
      revision: 1,
      updated_by: 'editor@example.no',
    });
    expect(await lastAction()).toMatchObject({
      actor: 'editor@example.no',
      action: 'glossary.created',
      subject: 'Fag forening',
      details: { forms: ['år', 'Fagforeningen'] },
    });
  });

  test('is refused with its field when it cannot be matched with texts', async () => {
    await empty();
    const refusals = [
      [entry('a/b'), { field: 'word', reason: 'not_a_word' }],
      [entry('ord', { forms: ['=1+1'] }), { field: 'forms', value: '=1+1' }],
      [entry('ord', { english: ' ' }), { field: 'english', reason: 'missing' }],
      [entry('o'.repeat(61)), { field: 'word', reason: 'too_long' }],
    ] as const;
    for (const [content, details] of refusals) {
      await expect(createEntry(database.pool, ACTOR, content)).rejects.toMatchObject({
        code: 'validation_failed',
        details,
      });
    }
    expect(await contents()).toEqual([]);
  });

  test('cannot have a word or a form of another entry, in any case', async () => {
    await empty();
    await createEntry(database.pool, ACTOR, entry('skatt', { forms: ['skatten'] }));
    const taken = [
      [entry('SKATTEN'), { field: 'word', value: 'SKATTEN', word: 'skatt' }],
      [entry('avgift', { forms: ['Skatt'] }), { field: 'forms', value: 'Skatt', word: 'skatt' }],
    ] as const;
    for (const [content, details] of taken) {
      await expect(createEntry(database.pool, ACTOR, content)).rejects.toMatchObject({
        code: 'glossary_word_taken',
        details,
      });
    }
  });

  test('has one of two that are added at the same time', async () => {
    await empty();
    const both = await Promise.allSettled([
      createEntry(database.pool, ACTOR, entry('skatt', { forms: ['skatten'] })),
      createEntry(database.pool, ACTOR, entry('skatten', { forms: ['skatt'] })),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'glossary_word_taken' },
    });
  });

  test('is changed with both values in the audit log, and only by who saw it last', async () => {
    await empty();
    const { id } = await createEntry(database.pool, ACTOR, entry('skatt', { forms: ['skatten'] }));
    const next = entry('skatt', { forms: ['skatter'], norwegian: 'Penger til staten.' });
    const changed = await changeEntry(database.pool, 'other', { id, revision: 1, ...next });
    expect(changed).toMatchObject({ ...next, revision: 2, updated_by: 'other' });
    expect(await lastAction()).toMatchObject({
      action: 'glossary.updated',
      details: {
        changes: {
          forms: { before: 'skatten', after: 'skatter' },
          norwegian: { after: 'Penger til staten.' },
        },
      },
    });
    await expect(
      changeEntry(database.pool, ACTOR, { id, revision: 1, ...entry('skatt') }),
    ).rejects.toMatchObject({ code: 'glossary_changed' });
    // The form that it had before is free.
    await createEntry(database.pool, ACTOR, entry('skatten'));
  });

  test('that does not change is neither written nor recorded', async () => {
    await empty();
    const { id } = await createEntry(database.pool, ACTOR, entry('skatt'));
    const before = await lastAction();
    const same = await changeEntry(database.pool, 'other', { id, revision: 1, ...entry('skatt') });
    expect(same).toMatchObject({ revision: 1, updated_by: 'editor@example.no' });
    expect(await lastAction()).toEqual(before);
  });

  test('is deleted with its forms, once', async () => {
    await empty();
    const { id } = await createEntry(database.pool, ACTOR, entry('skatt', { forms: ['skatten'] }));
    await deleteEntry(database.pool, ACTOR, id);
    expect(await lastAction()).toMatchObject({ action: 'glossary.deleted', subject: 'skatt' });
    expect(await contents()).toEqual([]);
    await expect(deleteEntry(database.pool, ACTOR, id)).rejects.toMatchObject({
      code: 'not_found',
    });
    await createEntry(database.pool, ACTOR, entry('skatten'));
  });
});

describe('the list of the glossary', () => {
  test('is in Norwegian order, in pages, and searched in words, forms and explanations', async () => {
    await empty();
    const words = Array.from({ length: 60 }, (_, n) => `ord${String(n).padStart(2, '0')};;Et.;one`);
    await importRows(
      ...words,
      'ål;;En fisk.;eel',
      'zoo;dyrehagen;Et sted.;zoo',
      'ære;;Noe.;honour',
    );
    const page = async (search: string, number = 1) => {
      const { entries, total } = await listGlossary(database.pool, { search, page: number });
      return { words: entries.map(({ word }) => word), total };
    };
    expect((await page('', 1)).words).toHaveLength(50);
    const second = await page('', 2);
    expect(second.total).toBe(63);
    expect(second.words.slice(-3)).toEqual(['zoo', 'ære', 'ål']);
    expect(await page('DYREHAGE')).toEqual({ words: ['zoo'], total: 1 });
    expect(await page('fisk')).toEqual({ words: ['ål'], total: 1 });
    expect(await page('honour')).toEqual({ words: ['ære'], total: 1 });
    expect(await page('%')).toEqual({ words: [], total: 0 });
  });
});

describe('a file of the glossary', () => {
  test('has each bad row named with its reason, and the good ones saved', async () => {
    await empty();
    await createEntry(database.pool, ACTOR, entry('skatt', { forms: ['skatten'] }));
    await createEntry(database.pool, ACTOR, entry('streik'));
    const result = await importRows(
      'avgift;avgiften|avgifter;Penger til staten.;fee',
      'moms;skatten;Penger.;VAT',
      '',
      ';;Uten ord.;none',
      'streik;streiken;Ansatte stanser.;strike',
      'vedtak;;Noe bestemt.;',
      'Avgift;;En gang til.;fee',
      'a/b;;Et ord.;word',
      'valg;;Å velge.;election;for mye',
      `lang;;${'x'.repeat(201)};long`,
      'skatt;skatten;Forklaring av skatt.;the English of skatt',
    );
    expect(result).toEqual({
      created: 1,
      updated: 1,
      unchanged: 1,
      rejected: [
        { row: 3, word: 'moms', field: 'forms', reason: 'taken', value: 'skatten' },
        { row: 5, word: '', field: 'word', reason: 'missing', value: '' },
        { row: 7, word: 'vedtak', field: 'english', reason: 'missing', value: '' },
        { row: 8, word: 'Avgift', field: 'word', reason: 'repeated', value: '' },
        { row: 9, word: 'a/b', field: 'word', reason: 'not_a_word', value: 'a/b' },
        { row: 10, word: 'valg', field: '', reason: 'too_many_cells', value: '' },
        { row: 11, word: 'lang', field: 'norwegian', reason: 'too_long', value: '' },
      ],
    });
    expect((await contents()).map(({ word, forms }) => [word, ...forms])).toEqual([
      ['avgift', 'avgiften', 'avgifter'],
      ['skatt', 'skatten'],
      ['streik', 'streiken'],
    ]);
    expect(await lastAction()).toMatchObject({
      action: 'glossary.imported',
      details: { created: 1, updated: 1, unchanged: 1, rejected: 7 },
    });
  });

  test('that was exported is the same glossary again, in any of the delimiters', async () => {
    await empty();
    const rows = [
      entry('skatt', { forms: ['skatten', 'skatter'], norwegian: 'Penger, "mye"; til staten.' }),
      entry('vedtak', { norwegian: '=HYPERLINK("http://x")', english: '@decision' }),
      entry('ål', { norwegian: "'- et tegn først", english: '+47' }),
    ];
    for (const row of rows) await createEntry(database.pool, ACTOR, row);
    const csv = await exportGlossary(database.pool, ACTOR);
    expect(csv.startsWith('\uFEFFword;forms;norwegian;english\r\n')).toBe(true);
    // No cell starts a formula.
    expect(csv).not.toMatch(/(^|[;"])[=+@-]/m);
    expect(await lastAction()).toMatchObject({ action: 'glossary.exported' });

    const before = await contents();
    expect(await importGlossary(database.pool, ACTOR, csv)).toMatchObject({ unchanged: 3 });
    await empty();
    expect(await importGlossary(database.pool, ACTOR, csv)).toMatchObject({ created: 3 });
    expect(await contents()).toEqual(before);
    const tabs = 'english\tnorwegian\tword\ntax\tPenger.\tskatt\n';
    expect(await importGlossary(database.pool, ACTOR, tabs)).toMatchObject({ updated: 1 });
    expect((await contents())[0]).toMatchObject({ forms: [], norwegian: 'Penger.' });
  });

  test.each([
    ['', 'csv_header'],
    ['word;norwegian\nskatt;Penger.', 'csv_header'],
    ['word;norwegian;english;color\n', 'csv_header'],
    ['word;norwegian;english\n\n;;\n', 'empty'],
    ['word;norwegian;english\nskatt;"Penger;tax\n', 'not_csv'],
  ])('%j is refused whole: %s', async (csv, reason) => {
    await expect(importGlossary(database.pool, ACTOR, csv)).rejects.toMatchObject({
      code: 'import_refused',
      details: { reason },
    });
  });

  test('fills the glossary to its limit and names the rows above it', async () => {
    await empty();
    const rows = Array.from(
      { length: MAX_GLOSSARY_ENTRIES + 1 },
      (_, n) => `ord${n};;Et ord.;word`,
    );
    expect(await importRows(...rows)).toEqual({
      created: MAX_GLOSSARY_ENTRIES,
      updated: 0,
      unchanged: 0,
      rejected: [
        {
          row: MAX_GLOSSARY_ENTRIES + 2,
          word: `ord${MAX_GLOSSARY_ENTRIES}`,
          field: '',
          reason: 'glossary_full',
          value: '',
        },
      ],
    });
    await expect(createEntry(database.pool, ACTOR, entry('nytt'))).rejects.toMatchObject({
      details: { reason: 'glossary_full' },
    });
  });
});

describe("the bank's glossary", () => {
  const apply = (...rows: string[]) =>
    applyBankGlossary(database.pool, ACTOR, ['word;forms;norwegian;english', ...rows].join('\r\n'));
  const words = async () =>
    (await readGlossary(database.pool)).map(({ word, norwegian }) => `${word}: ${norwegian}`);

  test('adds and updates words, and keeps those of administrators, also at the undo', async () => {
    await empty();
    await createEntry(database.pool, ACTOR, entry('skatt', { forms: ['skatten'] }));
    expect(
      await apply(
        'skatt;;Penger til staten.;tax',
        'skatten;;En form av et annet ord.;the tax',
        'avgift;;Penger for en tjeneste.;fee',
        'streik;;Ansatte stanser.;strike',
      ),
    ).toEqual({ created: 2, updated: 0, kept: 2 });
    const { id, ...fee } = (await readGlossary(database.pool)).find(
      ({ word }) => word === 'avgift',
    )!;
    await changeEntry(database.pool, ACTOR, {
      id,
      revision: fee.revision,
      word: fee.word,
      forms: fee.forms,
      norwegian: 'Skrevet om.',
      english: fee.english,
    });

    expect(
      await apply('avgift;;En ny forklaring.;fee', 'streik;;Ansatte slutter å jobbe.;strike'),
    ).toEqual({ created: 0, updated: 1, kept: 1 });
    expect(await words()).toEqual([
      'avgift: Skrevet om.',
      'skatt: Forklaring av skatt.',
      'streik: Ansatte slutter å jobbe.',
    ]);
    expect(await lastAction()).toMatchObject({
      actor: ACTOR.toLowerCase(),
      action: 'glossary.imported',
      subject: 'bank',
      details: { created: 0, updated: 1, unchanged: 1 },
    });

    expect(await undoGlossary(database.pool, ACTOR)).toEqual({ deleted: 1 });
    expect(await words()).toEqual(['avgift: Skrevet om.', 'skatt: Forklaring av skatt.']);
    expect(await lastAction()).toMatchObject({
      action: 'glossary.undone',
      details: { entries: 1 },
    });
  });
});
