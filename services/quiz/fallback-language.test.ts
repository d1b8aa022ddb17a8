import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listLanguages, listOffered, offerLanguage } from '#languages/languages.ts';
import { readLanguageCoverage } from '#questions/language-coverage.ts';
import { drawTest } from '#questions/draw-questions.ts';
import { CompatibleQuestions } from '#questions/exclusions.ts';
import { addQuestions, createLearner } from '@proveklar/tests/support/factories.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { startQuizOf } from '@proveklar/tests/support/quizzes.ts';

// A bank of 80 questions in Norwegian, 20 on each of four topics, of which 19 exist in Nynorsk, where one topic
// has another name and one has none.

/** The questions of each topic in Nynorsk, by its names in both languages. */
const TOPICS = [
  { no: 'Historie', nn: 'Historie', translated: 12 },
  { no: 'Hverdagsliv', nn: 'Kvardagsliv', translated: 2 },
  { no: 'Skole', nn: 'Skule', translated: 5 },
  { no: 'Arbeid', nn: 'Arbeid', translated: 0 },
];
const SIZE = { count: 38, counted: 34 };

const database = useTestDatabase();
const pool = () => database.pool;

beforeAll(async () => {
  const rowOf = (language: 'no' | 'nn', topic: (typeof TOPICS)[number], n: number) => ({
    language,
    topic: topic[language],
    question: `${topic[language]} ${n}, ${language}?`,
    answer: 'right',
    incorrect: ['wrong a', 'wrong b', 'wrong c'],
    group: `${topic.no}-${n}`,
  });
  const rows = TOPICS.flatMap((topic) => [
    ...Array.from({ length: 20 }, (_, n) => rowOf('no', topic, n)),
    ...Array.from({ length: topic.translated }, (_, n) => rowOf('nn', topic, n)),
  ]);
  await addQuestions(pool(), rows, 'test');
});

const offer = (code: string, offered: boolean) => offerLanguage(pool(), 'test', { code, offered });

/** The drawn questions, as the bank has them. */
async function questionsOf(drawn: readonly { id: number }[]) {
  const { rows } = await pool().query<{ language: string; topic: string; group: string }>(
    `select language, topic, translation_group as "group" from question where id = any ($1)`,
    [drawn.map(({ id }) => id)],
  );
  return rows;
}

const count = (rows: readonly { language: string; topic: string }[], topic: string) =>
  Map.groupBy(
    rows.filter((row) => row.topic === topic),
    ({ language }) => language,
  );

beforeEach(() => offer('nn', true));

describe('a practice test in a language with a fallback', () => {
  const draw = () => drawTest(pool(), { language: 'nn', fallback: 'no', ...SIZE });

  test('has the questions of its language, and the others from the fallback, evenly from all topics', async () => {
    for (let n = 0; n < 10; n += 1) {
      const drawn = await draw();
      expect(drawn).toHaveLength(SIZE.count);
      expect(drawn.filter(({ counted }) => counted)).toHaveLength(SIZE.counted);
      // By the name that the language has for the topic.
      const shares = [...Map.groupBy(drawn, ({ topic }) => topic)];
      expect(shares.map(([topic]) => topic).toSorted()).toEqual([
        'Arbeid',
        'Historie',
        'Kvardagsliv',
        'Skule',
      ]);
      for (const [topic, { length }] of shares) expect([9, 10], topic).toContain(length);
      const rows = await questionsOf(drawn);
      const own = rows.filter(({ language }) => language === 'nn');
      expect(count(own, 'Kvardagsliv').get('nn')).toHaveLength(2);
      expect(count(own, 'Skule').get('nn')).toHaveLength(5);
      expect(count(rows, 'Historie').get('no')).toBeUndefined();
    }
  });

  test('never has a question and its translation', async () => {
    for (let n = 0; n < 20; n += 1) {
      const groups = (await questionsOf(await draw())).map(({ group }) => group);
      expect(new Set(groups).size).toBe(SIZE.count);
    }
  });

  test('takes a question from the fallback while its translation is not validated', async () => {
    const twin = `translation_group = 'Skole-0'`;
    const setValidated = (validated: boolean) =>
      pool().query(`update question set validated = $1 where language = 'nn' and ${twin}`, [
        validated,
      ]);
    const isDrawn = async () => {
      const languages = new Set<string>();
      for (let n = 0; n < 30; n += 1) {
        const rows = await questionsOf(await draw());
        const found = rows.find(({ group }) => group === 'Skole-0');
        if (found) languages.add(found.language);
      }
      return [...languages];
    };
    await setValidated(false);
    expect(await isDrawn()).toEqual(['no']);
    await setValidated(true);
    expect(await isDrawn()).toEqual(['nn']);
  });

  test('has only its own questions without a fallback', async () => {
    const drawn = await drawTest(pool(), { language: 'nn', ...SIZE });
    expect(drawn).toHaveLength(19);
  });
});

test('two translations of a question do not fit beside each other', () => {
  const compatible = new CompatibleQuestions();
  const { added, excluded } = compatible.addFirst(
    [{ group: 'a' }, { group: 'a' }, { group: null }, { group: null }],
    4,
  );
  expect([added.length, excluded.length]).toEqual([3, 1]);
});

describe('a quiz of a learner', () => {
  test('says the language of each question, and stays in the language that was chosen', async () => {
    const learner = await createLearner(pool());
    const quiz = await startQuizOf(pool(), learner.id, {
      topic: 'Praktisk prøve',
      language: 'nn',
    });
    const languages = Map.groupBy(quiz.questions, ({ language }) => language);
    expect([quiz.language, quiz.questions.length]).toEqual(['nn', 38]);
    // 9 or 10 of history, 2 and 5; the others are in the fallback.
    expect([16, 17]).toContain(languages.get('nn')!.length);
    expect(languages.get('no')).toHaveLength(38 - languages.get('nn')!.length);
  });

  test('is a drill of the language only', async () => {
    const learner = await createLearner(pool());
    const of = (topic: string) => startQuizOf(pool(), learner.id, { topic, language: 'nn' });
    expect((await of('Skule')).questions).toHaveLength(5);
    const all = await startQuizOf(pool(), learner.id, {
      topic: 'all',
      language: 'nn',
      questionCount: 50,
    });
    expect(all.questions).toHaveLength(19);
    expect(new Set(all.questions.map(({ language }) => language))).toEqual(new Set(['nn']));
    await expect(of('Hverdagsliv')).rejects.toMatchObject({ code: 'topic_unknown' });
  });

  test('does not use a fallback that learners are not offered', async () => {
    const learner = await createLearner(pool());
    await pool().query(`update language set fallback = 'pl' where code = 'nn'`);
    try {
      const started = startQuizOf(pool(), learner.id, { topic: 'Praktisk prøve', language: 'nn' });
      await expect(started).rejects.toMatchObject({ code: 'not_enough_questions' });
      expect(await readLanguageCoverage(pool(), 'nn')).toBeNull();
      const offered = await listOffered(pool());
      expect(offered.find(({ code }) => code === 'nn')).toMatchObject({ fallback: null });
    } finally {
      await pool().query(`update language set fallback = 'no' where code = 'nn'`);
    }
  });
});

describe('how much of the bank exists in a language', () => {
  test('is counted by topic, and beside the questions that only the fallback has', async () => {
    expect(await readLanguageCoverage(pool(), 'nn')).toEqual({
      fallback: 'no',
      questions: 19,
      total: 80,
      topics: [
        { topic: 'Historie', questions: 12 },
        { topic: 'Kvardagsliv', questions: 2 },
        { topic: 'Skule', questions: 5 },
      ],
    });
  });

  test('changes with the bank', async () => {
    const id = await addQuestions(
      pool(),
      [
        {
          language: 'nn',
          topic: 'Arbeid',
          question: 'Arbeid 3, nn?',
          answer: 'right',
          incorrect: ['wrong a', 'wrong b', 'wrong c'],
          group: 'Arbeid-3',
        },
      ],
      'test',
    );
    await pool().query('insert into bank_revision default values');
    expect(await readLanguageCoverage(pool(), 'nn')).toMatchObject({ questions: 20, total: 80 });
    await pool().query('delete from question where import_id = $1', [id]);
    await pool().query('insert into bank_revision default values');
    expect(await readLanguageCoverage(pool(), 'nn')).toMatchObject({ questions: 19, total: 80 });
  });

  test('is not said of a language without a fallback, or that is not offered', async () => {
    expect(await readLanguageCoverage(pool(), 'no')).toBeNull();
    await offer('nn', false);
    expect(await readLanguageCoverage(pool(), 'nn')).toBeNull();
  });
});

test('an administrator sees the fallback of a language, also while it is not offered', async () => {
  await offer('nn', false);
  const languages = await listLanguages(pool());
  const fallbacks = languages.filter(({ fallback }) => fallback !== null);
  expect(fallbacks).toMatchObject([{ code: 'nn', name: 'Nynorsk', fallback: 'no' }]);
});

test('a language is not its own fallback', async () => {
  const itself = pool().query(`update language set fallback = code where code = 'pl'`);
  await expect(itself).rejects.toMatchObject({ code: '23514' });
  const unknown = pool().query(`update language set fallback = 'xx' where code = 'pl'`);
  await expect(unknown).rejects.toMatchObject({ code: '23503' });
});
