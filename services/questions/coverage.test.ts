import { expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { addQuestions } from '@proveklar/tests/support/factories.ts';
import { readCoverage } from './coverage.ts';

const database = useTestDatabase();

const row = (index: number, language: string, tags: string[]) => ({
  language,
  topic: 'Arbeidsliv',
  question: `${language} ${index}?`,
  answer: 'a',
  incorrect: ['b', 'c', 'd'],
  tags,
});

test('questions are counted once in each subject of their tags, by language, if learners can be asked', async () => {
  const { pool } = database;
  expect(await readCoverage(pool)).toMatchObject({ languages: [], questions: {}, outside: {} });
  await addQuestions(
    pool,
    [
      row(1, 'no', ['lønn', 'oppsigelse']),
      row(2, 'no', ['lønn', 'skatt']),
      row(3, 'no', ['fiske']),
      row(4, 'no', ['lønn']),
      row(5, 'no', ['lønn']),
      row(1, 'en', ['lønn', 'smakebit']),
    ],
    'test',
  );
  await pool.query(`update question set retired_at = now() where question = 'no 4?'`);
  await pool.query(`update question set validated = false where question = 'no 5?'`);

  const { languages, questions, outside, subjects } = await readCoverage(pool);
  expect({ languages, questions, outside }).toEqual({
    languages: ['no', 'en'],
    questions: { no: 3, en: 1 },
    outside: { no: 1 },
  });
  const bySubject = Object.fromEntries(subjects.map((one) => [one.subject, one]));
  expect(bySubject.working_life?.questions).toEqual({ no: 2, en: 1 });
  expect(bySubject.democracy_and_welfare?.questions).toEqual({ no: 1 });
  expect(bySubject.health?.questions).toEqual({});
  const tags = subjects.flatMap((one) => one.tags).filter((one) => one.questions.no !== undefined);
  expect(tags).toEqual([
    { tag: 'lønn', questions: { no: 2, en: 1 } },
    { tag: 'oppsigelse', questions: { no: 1 } },
    { tag: 'skatt', questions: { no: 1 } },
  ]);
});
