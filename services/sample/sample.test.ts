import { beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { optionsOf } from '#questions/option-order.ts';
import { createQuestions } from '@proveklar/tests/support/factories.ts';
import {
  answerSample,
  countBank,
  readSample,
  readSampleTranslation,
  SAMPLE_TAG,
} from './sample.ts';

const database = useTestDatabase();
const read = (language = 'no') => readSample(database.pool, language);
const perTopic = (sample: { topic: string }[]) =>
  Object.fromEntries(
    [...Map.groupBy(sample, ({ topic }) => topic)].map(([topic, all]) => [topic, all.length]),
  );
const change = (what: string, ids: number[]) =>
  database.pool.query(`update question set ${what} where id = any ($1)`, [ids]);

beforeAll(async () => {
  for (const [topic, count] of [
    ['Arbeidsliv', 1],
    ['Geografi', 30],
    ['Historie', 30],
    ['Utdanning', 30],
  ] as const) {
    await createQuestions(database.pool, { topic, count });
  }
  await createQuestions(database.pool, { language: 'en', count: 9 });
});

test('the sample has ten questions over all topics, the same for every visitor', async () => {
  const sample = await read();
  expect(perTopic(sample)).toEqual({ Arbeidsliv: 1, Geografi: 3, Historie: 3, Utdanning: 3 });
  expect(new Set(sample.map(({ id }) => id)).size).toBe(10);
  expect(await read()).toEqual(sample);
});

test('the sample replaces questions that are retired or no longer validated', async () => {
  const ids = (await read()).map(({ id }) => id);
  await change('validated = false', ids.slice(0, 4));
  await change('retired_at = now()', ids.slice(4, 7));
  const sample = await read();
  expect(sample.map(({ id }) => id)).toEqual(expect.arrayContaining(ids.slice(7)));
  expect(sample).toHaveLength(10);
  const gone = new Set(ids.slice(0, 7));
  expect(sample.filter(({ id }) => gone.has(id))).toEqual([]);
});

test("tagged questions come first in the sample, also more than a topic's share", async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `select id from question where topic = 'Historie' and language = 'no' and validated
       and retired_at is null limit 5`,
  );
  const tagged = rows.map(({ id }) => id);
  await change(`tags = '{krig,${SAMPLE_TAG}}'`, tagged);
  const sample = await read();
  expect(new Set(sample.slice(0, 5).map(({ id }) => id))).toEqual(new Set(tagged));
  expect(perTopic(sample)).toMatchObject({ Historie: 5 });
});

test('a language with fewer than ten questions gets the Norwegian sample', async () => {
  expect(await read('en')).toEqual(await read());
  await createQuestions(database.pool, { topic: 'History', language: 'en', count: 1 });
  const english = await read('en');
  expect(perTopic(english)).toEqual({ Historie: 9, History: 1 });
  expect(english.every(({ language }) => language === 'en')).toBe(true);
});

test('the bank is counted by language, without questions that no learner can practise', async () => {
  await createQuestions(database.pool, { topic: 'Sangen', language: 'no', count: 5 });
  const { rows } = await database.pool.query<{ id: number }>(
    "select id from question where topic = 'Sangen'",
  );
  const count = () => countBank(database.pool, 'no');
  const all = await count();
  await change('validated = false', [rows[0]!.id]);
  expect(await count()).toBe(all - 1);
  await change('retired_at = now()', [rows[1]!.id, rows[2]!.id]);
  expect(await count()).toBe(all - 3);
  await createQuestions(database.pool, { topic: 'Songs', language: 'de', count: 2 });
  expect(await count()).toBe(all - 3);
  expect(await countBank(database.pool, 'de')).toBe(2);
  expect(await countBank(database.pool, 'fr')).toBe(0);
});

test('the sample grades answers to its own questions only', async () => {
  const [first] = await read();
  await change("source_title = 'a source', incorrect_reasons = '{because a,NULL,NULL}'", [
    first!.id,
  ]);
  const sample = await read();
  const [{ uuid, answer, incorrect, explanation }] = sample as [(typeof sample)[0]];
  const grade = (questionUuid: string, given: string) =>
    answerSample(sample, { questionUuid, answer: given });
  const graded = {
    score: null,
    correct_answer: answer,
    explanation,
    reasons: [{ option: incorrect[0]!, reason: 'because a' }],
    source_url: null,
    source_title: 'a source',
    checked_at: null,
  };
  expect(grade(uuid, answer)).toEqual({ ...graded, correct: true });
  expect(grade(uuid, incorrect[0]!)).toEqual({ ...graded, correct: false });
  expect(() => grade(uuid, 'anything')).toThrow(/not one of the options/);
  const { rows } = await database.pool.query<{ uuid: string; answer: string }>(
    'select uuid, answer from question where validated and not (id = any ($1)) limit 1',
    [sample.map(({ id }) => id)],
  );
  const [other] = rows as [{ uuid: string; answer: string }];
  expect(() => grade(other.uuid, other.answer)).toThrow(/not part of the quiz/);
});

test('a question of the sample is read in another language, with options in the same order', async () => {
  const [original] = (await read()) as [Awaited<ReturnType<typeof read>>[0]];
  await createQuestions(database.pool, { topic: 'Translated', language: 'en', count: 1 });
  await database.pool.query(
    `update question set translation_group = 'pair'
     where id = $1 or (topic = 'Translated' and language = 'en')`,
    [original.id],
  );
  const sample = await read();
  const paired = sample.find(({ id }) => id === original.id)!;
  expect(paired.translations).toEqual(['en']);
  expect(sample.filter(({ translations }) => translations.length > 0)).toHaveLength(1);

  const translated = (questionUuid: string, language = 'en') =>
    readSampleTranslation(database.pool, sample, { questionUuid, language });
  const { language, answer, options } = await translated(paired.uuid);
  expect(language).toBe('en');
  const places = optionsOf(paired);
  expect(options).toHaveLength(places.length);
  expect(options.indexOf(answer)).toBe(places.indexOf(paired.answer));

  const other = sample.find(({ id }) => id !== original.id)!;
  await expect(translated(other.uuid)).rejects.toMatchObject({ code: 'translation_not_found' });
  await expect(translated(paired.uuid, 'no')).rejects.toMatchObject({
    code: 'translation_not_found',
  });
  await expect(translated(crypto.randomUUID())).rejects.toMatchObject({
    code: 'question_not_in_quiz',
  });
});
