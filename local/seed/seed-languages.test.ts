import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listOffered, offerLanguage } from '@proveklar/services/languages/languages.ts';
import { readLanguageCoverage } from '@proveklar/services/questions/language-coverage.ts';
import { drawTest } from '@proveklar/services/questions/draw-questions.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { applyRelease, undoRelease } from '@proveklar/services/bank-releases/apply-release.ts';
import { readRelease } from '@proveklar/services/bank-releases/read-release.ts';
import { seedLanguages } from './seed.ts';

const database = useTestDatabase();
const OWN_BANK = fileURLToPath(new URL('questions', import.meta.url));
const readQuestions = async () => (await readRelease(OWN_BANK)).questions;
const codes = async () => (await listOffered(database.pool)).map(({ code }) => code);

test('our bank brings its questions in Nynorsk, beside their twins, and undoing takes them away', async () => {
  const { pool } = database;
  const questions = await readQuestions();
  const others = questions.filter(({ language }) => language !== 'nn');
  await applyRelease(pool, others);
  const second = await applyRelease(pool, questions);
  expect(second).toMatchObject({ added: questions.length - others.length, updated: 0 });
  expect(await applyRelease(pool, questions)).toMatchObject({ added: 0, updated: 0 });

  await seedLanguages(pool, questions);
  const coverage = (await readLanguageCoverage(pool, 'nn'))!;
  expect(coverage.questions).toBe(questions.length - others.length);
  expect(coverage.total).toBe(others.length / 2);
  expect(coverage.topics).toHaveLength(8);

  const drawn = await drawTest(pool, { language: 'nn', fallback: 'no', count: 38, counted: 34 });
  expect(drawn).toHaveLength(38);

  await undoRelease(pool, second.release!);
  const { rows } = await pool.query(
    `select language, count(*)::int as questions from question where retired_at is null
     group by language order by language`,
  );
  expect(rows).toEqual([
    { language: 'en', questions: others.length / 2 },
    { language: 'no', questions: others.length / 2 },
  ]);
});

test('the languages of the bank are offered once, and not against an administrator', async () => {
  const { pool } = database;
  const questions = await readQuestions();
  await seedLanguages(pool, questions);
  expect(await codes()).toEqual(['no', 'en', 'nn']);
  await offerLanguage(pool, 'admin@example.no', { code: 'nn', offered: false });
  await seedLanguages(pool, questions);
  expect(await codes()).toEqual(['no', 'en']);
});
