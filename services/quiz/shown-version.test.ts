import { beforeAll, expect, test } from 'vitest';
import { createLearner, createQuestions } from '@proveklar/tests/support/factories.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { startQuizOf } from '@proveklar/tests/support/quizzes.ts';
import { readBankQuestion } from '#questions/bank-question.ts';
import { editQuestion } from '#questions/edit-question.ts';
import { answerQuestion } from './answer-question.ts';
import { endQuiz } from './end-quiz.ts';
import { listEndedQuestions, readQuiz } from './read-quiz.ts';

const database = useTestDatabase();
const request = { questionCount: 5 };
let learner: { id: string; uid: string };

beforeAll(async () => {
  await createQuestions(database.pool, { count: 5 });
  learner = await createLearner(database.pool);
});

/** Edits text, options and key; `mark` is in all of them. */
async function edit(id: number, mark: string): Promise<void> {
  const { question, version, topic } = await readBankQuestion(database.pool, id);
  await editQuestion(database.pool, {
    question: id,
    version,
    actor: 'admin@example.no',
    content: {
      question: `${question} ${mark}`,
      answer: `${mark} right`,
      incorrect: [`${mark} a`, `${mark} b`],
      topic,
      explanation: mark,
      source_url: null,
      checked_at: null,
      tags: [],
    },
  });
}

const answer = (quizId: string, questionUuid: string, text: string) =>
  answerQuestion(database.pool, {
    uid: learner.uid,
    signedInAt: Date.now(),
    quizId,
    questionUuid,
    answer: text,
  });

test('an open quiz and its result keep showing the version that the quiz started with', async () => {
  const { pool } = database;
  const quiz = await startQuizOf(pool, learner.id, request);
  const [shown] = quiz.questions;
  const right = shown!.options.find((option) => option.startsWith('right'))!;
  await edit(shown!.id, 'first');
  expect((await readQuiz(pool, learner.id, quiz.id)).questions).toEqual(quiz.questions);
  await expect(answer(quiz.id, shown!.uuid, 'first right')).rejects.toMatchObject({
    code: 'answer_not_an_option',
  });
  expect(await answer(quiz.id, shown!.uuid, right)).toMatchObject({
    correct: true,
    correct_answer: right,
    explanation: expect.stringMatching(/^Because/),
  });
  await endQuiz(pool, learner.id, quiz.id);

  await edit(shown!.id, 'second');
  const ended = await readQuiz(pool, learner.id, quiz.id);
  expect(ended.questions).toEqual(quiz.questions);
  expect(ended.answers[shown!.uuid]).toMatchObject({ correct: true, correct_answer: right });
  const listed = await listEndedQuestions(pool, learner.id, quiz.id);
  expect(listed[0]).toMatchObject({ question: shown!.question, answer: right });
  expect([...listed[0]!.incorrect, right].toSorted()).toEqual(shown!.options.toSorted());
});

test('a quiz that starts after an edit shows the new version', async () => {
  const { pool } = database;
  const [target] = (await startQuizOf(pool, learner.id, request)).questions;
  await edit(target!.id, 'third');
  const quiz = await startQuizOf(pool, learner.id, request);
  const now = quiz.questions.find(({ id }) => id === target!.id)!;
  expect(now.options.toSorted()).toEqual(['third a', 'third b', 'third right']);
  expect(await answer(quiz.id, now.uuid, 'third right')).toMatchObject({ correct: true });
});
