import { beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { addQuestions, createLearner } from '@proveklar/tests/support/factories.ts';
import { type Session, startQuizOf } from '@proveklar/tests/support/quizzes.ts';
import { editQuestion } from '#questions/edit-question.ts';
import { readBankQuestion } from '#questions/bank-question.ts';
import { endQuiz } from './end-quiz.ts';
import { listEndedQuestions, readQuiz } from './read-quiz.ts';
import { correctKey } from './regrade.ts';

const database = useTestDatabase();
let learner: { id: string; uid: string };

const COUNT = 40;
const OPTIONS = ['right', 'first', 'second', 'dropped'];
const shapeOf = (option: string) => `${OPTIONS.indexOf(option) + 1},1 20,2 30,3`;
const svg = (number: number) =>
  `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1" id="i${number}"/>`;

beforeAll(async () => {
  learner = await createLearner(database.pool);
  const rows = Array.from({ length: COUNT }, (_, number) => ({
    language: 'no',
    topic: 'Geografi',
    question: `${number}?`,
    answer: 'right',
    incorrect: OPTIONS.slice(1),
    image: svg(number),
    image_alt: `Kart ${number}`,
    areas: OPTIONS.map((name) => ({ name, shape: shapeOf(name) })),
  }));
  await addQuestions(database.pool, rows, 'test');
});

const start = (request: Parameters<typeof startQuizOf>[2]) =>
  startQuizOf(database.pool, learner.id, request);

const areasOf = ({ questions }: Session) => questions.map(({ areas }) => areas);
const areasFor = (options: readonly string[]) =>
  options.map((name) => ({ name, shape: shapeOf(name) }));

test('areas have the order of the options, and a practice test has none for a dropped option', async () => {
  const test = await start({ topic: 'Praktisk prøve', exam: 'samfunnskunnskap' });
  for (const { options, image, areas, question } of test.questions) {
    expect(options.toSorted()).toEqual(['first', 'right', 'second']);
    expect(areas).toEqual(areasFor(options));
    expect(image).toMatchObject({ alt: `Kart ${Number.parseInt(question, 10)}`, width: 1000 });
  }
  expect(JSON.stringify(test)).not.toContain('dropped');
  expect(JSON.stringify(test)).not.toContain(shapeOf('dropped'));
  const places = test.questions.map(({ options }) => options.indexOf('right'));
  expect(new Set(places).size).toBe(3);
  await endQuiz(database.pool, learner.id, test.id);
  const ended = await listEndedQuestions(database.pool, learner.id, test.id);
  expect(JSON.stringify(ended)).not.toContain(shapeOf('dropped'));
  expect(ended[0]!.areas).toHaveLength(3);
});

test('a drill shows all areas', async () => {
  const drill = await start({ topic: 'Geografi' });
  expect(areasOf(drill)).toEqual(drill.questions.map(({ options }) => areasFor(options)));
});

test('a quiz keeps the picture that it showed, and a corrected key keeps the areas', async () => {
  const drill = await start({ topic: 'Geografi' });
  const [shown, other] = drill.questions;
  const { version, ...current } = await readBankQuestion(database.pool, shown!.id);
  const { question, answer, incorrect, topic, explanation, source_url, checked_at, tags } = current;
  await editQuestion(database.pool, {
    question: shown!.id,
    version,
    content: {
      question,
      answer,
      incorrect,
      topic,
      explanation,
      source_url,
      checked_at,
      tags,
      image: svg(COUNT),
      areas: null,
    },
    actor: 'admin@example.no',
  });
  await correctKey(database.pool, {
    question: other!.id,
    version: 1,
    answer: 'first',
    actor: 'admin@example.no',
  });
  expect((await readQuiz(database.pool, learner.id, drill.id)).questions).toEqual(drill.questions);
  const corrected = await readBankQuestion(database.pool, other!.id);
  expect([corrected.answer, corrected.areas?.length]).toEqual(['first', 4]);
});
