import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { fileRow, importFile, reportOf, workOn } from '@proveklar/tests/support/imports.ts';
import { withTransaction } from '#database/pool.ts';
import { forgetUnusedImages } from '#images/images.ts';
import { listVersions, readBankQuestion } from '#questions/bank-question.ts';
import { deleteQuestion, editQuestion } from '#questions/edit-question.ts';
import { exportBank } from '#questions/export-bank.ts';
import { stepImport } from './end-import.ts';

const database = useTestDatabase();
const ADMIN = 'admin@example.no';
const UPDATE = { onDuplicate: 'update' } as const;

const svg = (color: string) =>
  `data:image/svg+xml;base64,${Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><path fill="${color}" d="M0 0h9v9z"/></svg>`,
  ).toString('base64')}`;
const AREAS = ['a', 'b', 'c', 'd'].map((name, place) => ({
  name,
  shape: `${place}0,0 ${place}9.5,0 ${place}9,100`,
}));
const PICTURE = { image: svg('red'), image_alt: 'Et kart', areas: AREAS };
const READ = {
  image: {
    url: expect.stringMatching(/^\/api\/v1\/images\/[0-9a-f]{64}$/),
    alt: 'Et kart',
    width: 1000,
    height: 500,
  },
  areas: AREAS,
};
const NONE = { image: null, areas: null };

afterEach(async () => {
  await emptyTables(database.pool, 'question', 'question_import', 'image', 'outbox');
});

async function readOnly() {
  const { rows } = await database.pool.query<{ id: number }>('select id from question');
  return readBankQuestion(database.pool, rows[0]!.id);
}

async function countImages(): Promise<number> {
  const { rows } = await database.pool.query<{ images: number }>(
    'select count(*)::int as images from image',
  );
  return rows[0]!.images;
}

async function exported(format: 'json' | 'csv'): Promise<string> {
  let text = '';
  for await (const part of exportBank(database.pool, format, {})) text += part;
  return text;
}

async function cleanUp(): Promise<number> {
  await database.pool.query(`update image set stored_at = now() - interval '25 hours'`);
  return withTransaction(database.pool, forgetUnusedImages);
}

describe('a picture', () => {
  test.each(['json', 'csv'] as const)('is the same after an export as %s', async (format) => {
    await importFile(database.pool, [fileRow('A?', PICTURE), fileRow('B?')]);
    const file = await exported(format);
    expect(await importFile(database.pool, file, { ...UPDATE, format })).toMatchObject({
      updated: 0,
      duplicates: 2,
    });
    await emptyTables(database.pool, 'question', 'image');
    await importFile(database.pool, file, { format });
    expect(await exported(format)).toBe(file);
    expect(file).toContain(PICTURE.image);
  });

  test.each(['png', 'jpeg'] as const)('as %s does not become worse by an export', async (type) => {
    const png = new PNG({ width: 64, height: 32 });
    png.data.forEach((_value, at) => (png.data[at] = at % 4 === 3 ? 255 : (at * 37) % 251));
    const content = type === 'png' ? PNG.sync.write(png) : jpeg.encode(png, 80).data;
    const image = `data:image/${type};base64,${content.toString('base64')}`;
    await importFile(database.pool, [fileRow('A?', { ...PICTURE, image })]);
    const file = await exported('json');
    expect(await importFile(database.pool, file, UPDATE)).toMatchObject({ updated: 0 });
    expect(await exported('json')).toBe(file);
    expect(await countImages()).toBe(1);
  });

  test('is stored once for a question and its translation', async () => {
    const english = fileRow('A in English?', { ...PICTURE, language: 'en', image_alt: 'A map' });
    await importFile(database.pool, [fileRow('A?', PICTURE), english]);
    expect(await countImages()).toBe(1);
  });

  test('of 2 MB fits into a row of JSON and of CSV, and a larger row is a fault', async () => {
    const head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><desc>';
    const bytes = (2 * 1024 ** 2 - 30) * 0.75 - head.length - 20;
    const text = `${head}${'x'.repeat(bytes)}</desc></svg>`;
    const image = `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`;
    expect(image.length).toBeGreaterThan(2 * 1024 ** 2 - 100);
    await importFile(database.pool, [fileRow('A?', { ...PICTURE, image })]);
    const csv = await exported('csv');
    await emptyTables(database.pool, 'question', 'image');
    await importFile(database.pool, csv, { format: 'csv' });
    expect(await exported('csv')).toBe(csv);
    const done = await importFile(database.pool, [
      fileRow('B?', { ...PICTURE, image: `${image}${'A'.repeat(200)}` }),
      fileRow('C?', { ...PICTURE, image: `${image}${'A'.repeat(1024 ** 2)}` }),
    ]);
    expect(await reportOf(database.pool, done.id)).toEqual([
      '1 rejected image image_too_large',
      '2 rejected  too_large',
    ]);
  });

  test.each<[object, string]>([
    [{ image: svg('red') }, 'image_alt missing'],
    [{ image_alt: 'x' }, 'image_alt needs_image'],
    [{ areas: AREAS }, 'areas needs_image'],
    [{ ...PICTURE, image: 'kart.svg' }, 'image not_an_image'],
    [{ ...PICTURE, image: 7 }, 'image not_text'],
    [{ ...PICTURE, image_alt: ' ' }, 'image_alt blank'],
    [{ ...PICTURE, image_alt: 'x'.repeat(501) }, 'image_alt too_long'],
    [{ ...PICTURE, areas: AREAS.slice(1) }, 'areas not_the_options'],
    [{ ...PICTURE, areas: [...AREAS, AREAS[0]] }, 'areas not_the_options'],
    [{ ...PICTURE, areas: AREAS.with(0, { ...AREAS[0]!, name: 'A' }) }, 'areas not_the_options'],
    [{ ...PICTURE, areas: 'x' }, 'areas not_a_list'],
    [{ ...PICTURE, areas: AREAS.with(0, 7 as never) }, 'areas.0 not_an_object'],
    [{ ...PICTURE, areas: AREAS.with(0, { name: 'a' } as never) }, 'shape missing'],
    ...[
      '',
      '1,1 2,2',
      '1,1 2,2 101,3',
      '1,1 2,2 3,3.25',
      '1,1 2,2 3',
      '-1,1 2,2 3,3',
      '1,1  2,2 3,3',
      Array(41).fill('1,1').join(' '),
    ].map((shape): [object, string] => [
      { ...PICTURE, areas: AREAS.with(0, { name: 'a', shape }) },
      'areas.0.shape not_a_shape',
    ]),
    [
      {
        ...PICTURE,
        image: `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script/></svg>')}`,
      },
      'image.script svg_element',
    ],
  ])('is a fault of the row: %#', async (change, fault) => {
    const done = await importFile(database.pool, [fileRow('A?', change), fileRow('B?')]);
    expect(done).toMatchObject({ imported: 1, rejected: 1 });
    expect(await reportOf(database.pool, done.id)).toEqual([`1 rejected ${fault}`]);
    expect(await countImages()).toBe(0);
  });

  test('in CSV has areas that are JSON, else they are a fault', async () => {
    const header = 'language,topic,question,answer,incorrect_1,image,image_alt,areas';
    const row = `no,Historie,A?,a,b,${svg('red').replaceAll(',', '\\,')},x,not json`;
    const file = `${header}\n${row.replace('data:image/svg+xml;base64\\,', '"data:image/svg+xml;base64,').replace(',x,not', '",x,not')}`;
    const done = await importFile(database.pool, file, { format: 'csv' });
    expect(await reportOf(database.pool, done.id)).toEqual(['1 rejected areas not_a_list']);
  });

  test('that an update brings is a version, and the undo brings the former one back', async () => {
    await importFile(database.pool, [fileRow('A?', PICTURE)]);
    const { id } = await importFile(
      database.pool,
      [fileRow('A?', { image: svg('blue'), image_alt: 'Et annet' })],
      UPDATE,
    );
    const updated = await readOnly();
    expect(updated).toMatchObject({ image: { alt: 'Et annet' }, areas: null, version: 2 });
    expect(await listVersions(database.pool, updated.id)).toMatchObject([
      { image: { alt: 'Et annet' } },
      READ,
    ]);
    expect(await cleanUp()).toBe(0);
    await stepImport(database.pool, id, 'undo', ADMIN);
    await workOn(database.pool, id);
    expect(await readOnly()).toMatchObject({ ...READ, version: 3 });
  });

  test('of a dry run is kept until its update is applied or given up', async () => {
    await importFile(database.pool, [fileRow('A?')]);
    const dry = { ...UPDATE, dryRun: true };
    const { id } = await importFile(database.pool, [fileRow('A?', PICTURE)], dry);
    expect(await cleanUp()).toBe(0);
    await stepImport(database.pool, id, 'confirm', ADMIN);
    await workOn(database.pool, id);
    expect(await readOnly()).toMatchObject(READ);
    const other = await importFile(
      database.pool,
      [fileRow('A?', { ...PICTURE, image: svg('green') })],
      dry,
    );
    await stepImport(database.pool, other.id, 'discard', ADMIN);
    await workOn(database.pool, other.id);
    expect(await cleanUp()).toBe(1);
  });

  test('that no question has is removed a day later', async () => {
    await importFile(database.pool, [fileRow('A?', PICTURE)]);
    const { id } = await readOnly();
    expect(await cleanUp()).toBe(0);
    await deleteQuestion(database.pool, { question: id, actor: ADMIN });
    await database.pool.query('update image set stored_at = now()');
    expect(await withTransaction(database.pool, forgetUnusedImages)).toBe(0);
    expect(await cleanUp()).toBe(1);
  });
});

describe('an edit', () => {
  beforeEach(async () => {
    await importFile(database.pool, [fileRow('A?', PICTURE)]);
  });

  async function edit(change: object) {
    const current = await readOnly();
    const { question, answer, incorrect, topic, explanation, source_url, checked_at, tags } =
      current;
    return editQuestion(database.pool, {
      question: current.id,
      version: current.version,
      content: {
        question,
        answer,
        incorrect,
        topic,
        explanation,
        source_url,
        checked_at,
        tags,
        ...change,
      },
      actor: ADMIN,
    });
  }

  test('that leaves the picture out keeps it, with its areas', async () => {
    expect(await edit({ question: 'A nå?' })).toMatchObject({ ...READ, version: 2 });
  });

  test('replaces the picture, its text or its areas, each as a version', async () => {
    expect(await edit({ image: svg('blue') })).toMatchObject({ areas: AREAS, version: 2 });
    expect(await edit({ image_alt: 'Nytt' })).toMatchObject({ image: { alt: 'Nytt' }, version: 3 });
    expect(await edit({ areas: null })).toMatchObject({ areas: null, version: 4 });
    expect(await edit({ areas: AREAS })).toMatchObject({ areas: AREAS, version: 5 });
    expect(await edit({ areas: AREAS })).toMatchObject({ version: 5 });
  });

  test('removes the picture with its text and areas', async () => {
    expect(await edit({ image: null })).toMatchObject({ ...NONE, version: 2 });
  });

  test.each<[object, string]>([
    [{ answer: 'another' }, 'areas'],
    [{ image: 'data:text/html,x' }, 'image'],
    [{ image_alt: null }, 'image_alt'],
    [{ image: null, areas: AREAS }, 'areas'],
  ])('is refused: %o', async (change, field) => {
    await expect(edit(change)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { field },
    });
    expect(await readOnly()).toMatchObject({ ...READ, version: 1 });
  });
});
