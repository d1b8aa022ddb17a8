import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createQuestions } from '@proveklar/tests/support/factories.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { importFile } from '@proveklar/tests/support/imports.ts';
import { listLanguages } from '#languages/languages.ts';
import { duplicateError } from './question-content.ts';
import { bankFilters, type QuestionFilter } from './question-filter.ts';
import { exportBank } from './export-bank.ts';
import { indexSearch } from './index-search.ts';
import { createBankList, type ListBank, type QuestionSort } from './list-bank.ts';

const database = useTestDatabase();

// 2,500 questions are in three blocks or more, so that pages begin and end within blocks.
const COUNT = 2_500;
/** Between the ids of the two topics: more than a list's first pages search from its start. */
const GAP = 10_000;
let listBank: ListBank;
beforeAll(async () => {
  const { pool } = database;
  listBank = createBankList(pool);
  await createQuestions(pool, { topic: 'Åpent', count: COUNT });
  await pool.query(`alter table question alter id restart with ${COUNT + GAP}`);
  await createQuestions(pool, { topic: 'Historie', language: 'en', count: 30 });
  await pool.query(
    `insert into question_statistics (question_id, times_selected, times_correct, times_incorrect)
     select id, id % 7, id % 4, 1 from question where id % 5 = 0`,
  );
  await pool.query('update question set validated = false where id % 6 = 0');
  await pool.query('update question set retired_at = now() where id % 50 = 0');
});

const list = (filter: QuestionFilter, page = 1, sort: QuestionSort = 'newest') =>
  listBank(filter, { sort, page, pageSize: 20 });
const ids = async (where: string, order = 'question.id desc') => {
  const { rows } = await database.pool.query<{ id: number }>(
    `select question.id from question left join question_statistics on question_id = id
     where ${where} order by ${order}`,
  );
  return rows.map((row) => row.id);
};

describe('the list of the bank', () => {
  const answered = 'times_correct + times_incorrect > 0';
  test.each<[QuestionFilter, string]>([
    [{}, 'retired_at is null'],
    [{ state: 'retired' }, 'retired_at is not null'],
    [{ state: 'all' }, 'true'],
    [{ topic: 'Historie' }, `retired_at is null and topic = 'Historie'`],
    [{ topic: 'Åpent' }, `retired_at is null and topic = 'Åpent'`],
    [
      { language: 'en', validation: 'pending' },
      `retired_at is null and language = 'en' and not validated`,
    ],
    [{ min_correct: 0 }, 'retired_at is null'],
    [{ min_correct: 75 }, `retired_at is null and ${answered} and times_correct >= 3`],
    [{ max_selected: 2 }, 'retired_at is null and coalesce(times_selected, 0) <= 2'],
    [
      { min_correct: 50, max_selected: 3 },
      `retired_at is null and ${answered} and times_selected <= 3
         and times_correct >= times_incorrect`,
    ],
    [
      { reported: false, max_selected: 2 },
      'retired_at is null and coalesce(times_selected, 0) <= 2',
    ],
    [{ min_correct: 50, reported: true }, 'false'],
    [{ reported: true }, 'false'],
    [{ reported: false }, 'retired_at is null'],
    [{ search: 'PENT NO 77' }, `retired_at is null and question like '%pent no 77%'`],
    [{ search: '100%' }, 'false'],
  ])('has the right questions on every page, filtered by %j', async (filter, where) => {
    const expected = await ids(where);
    const last = Math.max(1, Math.ceil(expected.length / 20));
    for (const page of new Set([1, 2, Math.ceil(last / 2), last])) {
      const found = await list(filter, page);
      expect(found.questions.map(({ id }) => id)).toEqual(
        expected.slice((page - 1) * 20, page * 20),
      );
      expect(found).toMatchObject({ total: expected.length, page });
    }
    expect((await list(filter, last + 1)).questions).toEqual([]);
  });

  test.each<[QuestionSort, string]>([
    ['oldest', 'question.id'],
    ['most_selected', 'coalesce(times_selected, 0) desc, question.id desc'],
    ['least_selected', 'coalesce(times_selected, 0), question.id desc'],
    [
      'lowest_correct',
      'coalesce(times_correct * 1000 / nullif(times_correct + times_incorrect, 0), 1001), question.id desc',
    ],
    ['topic', 'topic collate "nb-x-icu", question.id desc'],
  ])('is sorted by %s on every page', async (sort, order) => {
    const expected = await ids('retired_at is null', order);
    for (const page of [1, 2, 3, 20, 60, Math.ceil(expected.length / 20)]) {
      const found = await list({}, page, sort);
      expect(found.questions.map(({ id }) => id)).toEqual(
        expected.slice((page - 1) * 20, page * 20),
      );
    }
  });

  test.each(['newest', 'oldest'] as const)('sorted by %s, has any page first', async (sort) => {
    for (const topic of ['Historie', 'Åpent']) {
      const expected = await ids(
        `retired_at is null and topic = '${topic}'`,
        sort === 'newest' ? 'question.id desc' : 'question.id',
      );
      const last = Math.ceil(expected.length / 20);
      for (const page of [1, 2, Math.ceil(last / 2), last]) {
        const newList = createBankList(database.pool);
        const found = await newList({ topic }, { sort, page, pageSize: 20 });
        expect(found.questions.map(({ id }) => id)).toEqual(
          expected.slice((page - 1) * 20, page * 20),
        );
        expect(found.total).toBe(expected.length);
      }
    }
  });

  test('shows a change between two pages in every order', async () => {
    const [question] = (await list({ language: 'en' })).questions;
    const id = question!.id;
    const seen = async () =>
      Promise.all(
        (['newest', 'topic', 'most_selected'] as const).map(async (sort) => {
          const { total, questions } = await list({ language: 'en' }, 1, sort);
          return [total, questions.some((found) => found.id === id)];
        }),
      );
    const before = (await list({ language: 'en' })).total;
    await seen();
    await database.pool.query('update question set retired_at = now() where id = $1', [id]);
    const without = [before - 1, false];
    expect(await seen()).toEqual([without, without, without]);
    await database.pool.query('update question set retired_at = null where id = $1', [id]);
    expect((await seen()).map(([total]) => total)).toEqual([before, before, before]);
  });

  test('shows a change that commits after a later one was shown', async () => {
    const pending = async () => (await list({ language: 'en', validation: 'pending' })).total;
    const [first, second] = (await list({ language: 'en', validation: 'validated' })).questions;
    const unvalidate = 'update question set validated = false where id = $1';
    const before = await pending();
    const tx = await database.pool.connect();
    await tx.query('begin');
    await tx.query(unvalidate, [first!.id]);
    await database.pool.query(unvalidate, [second!.id]);
    expect(await pending()).toBe(before + 1);
    await tx.query('commit');
    tx.release();
    expect(await pending()).toBe(before + 2);
    await database.pool.query('update question set validated = true where id = any ($1)', [
      [first!.id, second!.id],
    ]);
  });

  test('finds a question by id and by uuid', async () => {
    const [first] = (await list({ language: 'en' })).questions;
    const byId = await list({ search: ` ${first!.id} ` });
    expect(byId.questions.map(({ id }) => id)).toContain(first!.id);
    const byUuid = await list({ search: first!.uuid.toUpperCase() });
    expect(byUuid.questions.map(({ id }) => id)).toEqual([first!.id]);
  });

  test('returns percentage, use and edit date of a question', async () => {
    const [met] = (await list({ min_correct: 50 })).questions;
    expect(met!.correct_percent).toBeCloseTo(
      (100 * met!.times_correct) / (met!.times_correct + met!.times_incorrect),
      1,
    );
    expect((await list({ language: 'en' }, 1, 'least_selected')).questions[0]).toMatchObject({
      times_selected: 0,
      correct_percent: null,
      is_used: false,
      updated_at: null,
    });
  });
});

describe('questions of an unfinished import', () => {
  const hidden = { ...ROW, language: 'fi', topic: 'Skjult' };
  let importId: string;
  let question: string;
  beforeEach(async () => {
    question = `Skjult ${crypto.randomUUID()}?`;
    const rows = [{ ...hidden, question }];
    importId = (await importFile(database.pool, rows)).id;
  });

  test.each(['processing', 'checked', 'refused', 'cancelled', 'discarded', 'failed'])(
    'are hidden everywhere while it is %s',
    async (state) => {
      const languages = async () => (await bankFilters(database.pool)).languages;
      const duplicate = () => duplicateError(database.pool, { language: 'fi', question });
      expect((await list({ topic: 'Skjult' })).total).toBeGreaterThan(0);
      expect(await languages()).toContain('fi');
      expect((await duplicate()).details).toHaveProperty('uuid');
      await database.pool.query(
        `update question_import set state = $1 where id in (
           select import_id from question where topic = 'Skjult')`,
        [state],
      );
      expect((await list({ topic: 'Skjult', state: 'all' })).total).toBe(0);
      expect((await list({ search: 'skjult' })).total).toBe(0);
      expect((await list({ import_id: importId })).total).toBe(0);
      expect((await bankFilters(database.pool)).topics).toEqual(['Historie', 'Åpent']);
      expect(await languages()).not.toContain('fi');
      expect((await listLanguages(database.pool)).map(codeOf)).not.toContain('fi');
      expect((await duplicate()).details).toEqual({ field: 'question' });
      expect(await exported({ topic: 'Skjult' })).toEqual([]);
      await database.pool.query(`delete from question where topic = 'Skjult'`);
      // An unfinished import would delay the next one.
      await database.pool.query('delete from question_import where id = $1', [importId]);
    },
  );
});

const codeOf = ({ code }: { code: string }) => code;
const ROW = { language: 'no', topic: 'Søk', answer: 'right', incorrect: ['wrong'] };

describe('search', () => {
  test('finds the same before and after indexing, and edited texts', async () => {
    const rows = ['Ærlig talt, hva er ÅPENT?', 'Hva er 50 %?'].map((question) => ({
      ...ROW,
      question,
    }));
    const { id: importId } = await importFile(database.pool, rows);
    const find = async (search: string) => (await list({ search, topic: 'Søk' })).total;
    const findAll = async () => Promise.all(['åpent', 'ærlig TALT', '50 %', 'talt?'].map(find));
    expect(await findAll()).toEqual([1, 1, 1, 0]);
    await database.pool.query(
      `update question set question = 'Hva er 60 %?' where question = 'Hva er 50 %?'`,
    );
    await indexSearch(database.pool, importId);
    await indexSearch(database.pool, importId);
    expect(await findAll()).toEqual([1, 1, 0, 0]);
    expect(await find('60 %')).toBe(1);
    await database.pool.query(
      `update question set question = 'Hva er 70 %?' where question = 'Hva er 60 %?'`,
    );
    expect([await find('60 %'), await find('70 %')]).toEqual([0, 1]);
  });
});

async function exported(filter: QuestionFilter): Promise<unknown[]> {
  let text = '';
  for await (const part of exportBank(database.pool, 'json', filter)) text += part;
  return JSON.parse(text) as unknown[];
}

describe('the export of the bank', () => {
  test('can be imported again, where every row is a duplicate', async () => {
    const rows = await exported({ state: 'active' });
    expect(rows.length).toBe((await list({})).total);
    const back = await importFile(database.pool, rows);
    expect(back).toMatchObject({ imported: 0, duplicates: rows.length, rejected: 0 });
  });

  test('has the columns of the import as CSV, and no formula', async () => {
    const question = { ...ROW, topic: 'Regneark', question: '=1+1, "hva"?', tags: ['a', 'b'] };
    await importFile(database.pool, [question]);
    let text = '';
    for await (const part of exportBank(database.pool, 'csv', { topic: 'Regneark' })) text += part;
    const [header, line, end] = text.split('\r\n');
    expect(header).toMatch(
      /^\uFEFFlanguage;topic;question;answer;incorrect_1;.*;tags;image;image_alt;areas;uuid$/,
    );
    expect(line).toMatch(/^no;Regneark;"'=1\+1, ""hva""\?";right;wrong;;.*;a\|b;;;;[0-9a-f-]{36}$/);
    expect(end).toBe('');
  });
});
