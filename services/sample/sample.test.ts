import { beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createQuestions } from '@proveklar/tests/support/factories.ts';
import { answerSample, readSample, SAMPLE_TAG } from './sample.ts';

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

test('the sample is ten questions over all topics, the same for everybody', async () => {
  const sample = await read();
  expect(perTopic(sample)).toEqual({ Arbeidsliv: 1, Geografi: 3, Historie: 3, Utdanning: 3 });
  expect(new Set(sample.map(({ id }) => id)).size).toBe(10);
  expect(await read()).toEqual(sample);
});

test('it has nothing that quizzes do not draw, and then others in its place', async () => {
  const ids = (await read()).map(({ id }) => id);
  await change('validated = false', ids.slice(0, 4));
  await change('retired_at = now()', ids.slice(4, 7));
  const sample = await read();
  expect(sample.map(({ id }) => id)).toEqual(expect.arrayContaining(ids.slice(7)));
  expect(sample).toHaveLength(10);
  const gone = new Set(ids.slice(0, 7));
  expect(sample.filter(({ id }) => gone.has(id))).toEqual([]);
});

test('what is tagged comes first; a topic has more than its share only of that', async () => {
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

test('a language with fewer than ten gets the Norwegian one', async () => {
  expect(await read('en')).toEqual(await read());
  await createQuestions(database.pool, { topic: 'History', language: 'en', count: 1 });
  const english = await read('en');
  expect(perTopic(english)).toEqual({ Historie: 9, History: 1 });
  expect(english.every(({ language }) => language === 'en')).toBe(true);
});

test('an answer is judged, but only to a question of the sample', async () => {
  const sample = await read();
  const [{ uuid, answer, incorrect, explanation }] = sample as [(typeof sample)[0]];
  const judge = (questionUuid: string, given: string) =>
    answerSample(sample, { questionUuid, answer: given });
  const told = { score: null, correct_answer: answer, explanation, source_url: null };
  expect(judge(uuid, answer)).toEqual({ ...told, correct: true });
  expect(judge(uuid, incorrect[0]!)).toEqual({ ...told, correct: false });
  expect(() => judge(uuid, 'anything')).toThrow(/not one of the options/);
  const { rows } = await database.pool.query<{ uuid: string; answer: string }>(
    'select uuid, answer from question where validated and not (id = any ($1)) limit 1',
    [sample.map(({ id }) => id)],
  );
  const [other] = rows as [{ uuid: string; answer: string }];
  expect(() => judge(other.uuid, other.answer)).toThrow(/not part of the quiz/);
});
