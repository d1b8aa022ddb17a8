import { beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { addQuestions, createLearner } from '@proveklar/tests/support/factories.ts';
import { type Session, startQuizOf } from '@proveklar/tests/support/quizzes.ts';
import { readBankQuestion } from '#questions/bank-question.ts';
import { answerQuestion } from './answer-question.ts';
import { endQuiz } from './end-quiz.ts';
import { listEndedQuestions, readQuiz } from './read-quiz.ts';
import { readTranslation } from './read-translation.ts';
import { correctKey } from './regrade.ts';

const database = useTestDatabase();
let learner: { id: string; uid: string };

/** As many as a practice test shows. Each has a reason for its first and last wrong answer. */
const COUNT = 40;
const rowOf = (number: number, language: 'no' | 'en') => ({
  language,
  topic: language === 'no' ? 'Historie' : 'History',
  question: `${language} ${number}?`,
  answer: `right ${language} ${number}`,
  incorrect: ['a', 'b', 'c'].map((option) => `wrong ${option} ${language} ${number}`),
  incorrect_reasons: [`secret a ${language} ${number}`, null, `secret c ${language} ${number}`],
  explanation: `secret ${number}`,
  source_url: `https://secret.example.no/${number}`,
  source_title: `Secret source ${number}`,
  checked_at: '2026-11-23',
  group: `g-${number}`,
});

beforeAll(async () => {
  learner = await createLearner(database.pool);
  const numbers = Array.from({ length: COUNT }, (_, number) => number);
  const rows = numbers.flatMap((number) => [rowOf(number, 'no'), rowOf(number, 'en')]);
  await addQuestions(database.pool, rows, 'test');
});

const start = (request: Parameters<typeof startQuizOf>[2]) =>
  startQuizOf(database.pool, learner.id, request);
const read = (quiz: Session) => readQuiz(database.pool, learner.id, quiz.id);
const review = (quiz: Session) => listEndedQuestions(database.pool, learner.id, quiz.id);
const numberOf = ({ question }: { question: string }) => /\d+/.exec(question)![0];

const answer = (quiz: Session, index: number, which: string) => {
  const { uuid, options } = quiz.questions[index]!;
  return answerQuestion(database.pool, {
    uid: learner.uid,
    signedInAt: Date.now(),
    quizId: quiz.id,
    questionUuid: uuid,
    answer: options.find((option) => option.startsWith(which))!,
  });
};

const whyOf = (number: string, options: string[]) => ({
  explanation: `secret ${number}`,
  reasons: options.map((option) => ({
    option: `wrong ${option} no ${number}`,
    reason: `secret ${option} no ${number}`,
  })),
  source_url: `https://secret.example.no/${number}`,
  source_title: `Secret source ${number}`,
  checked_at: '2026-11-23',
});
const SECRET = /secret/i;

test('a drill with feedback says why after each answer, and not before', async () => {
  const quiz = await start({});
  expect(JSON.stringify(quiz)).not.toMatch(SECRET);
  const [first] = quiz.questions;
  const why = whyOf(numberOf(first!), ['a', 'c']);
  expect(await answer(quiz, 0, 'wrong b')).toMatchObject({ correct: false, ...why });
  expect(await answer(quiz, 0, 'wrong b')).toMatchObject({ correct: false, ...why });
  const { answers, ...rest } = await read(quiz);
  expect(answers).toMatchObject({ [first!.uuid]: why });
  expect(Object.keys(answers)).toHaveLength(1);
  expect(JSON.stringify(rest)).not.toMatch(SECRET);
  await endQuiz(database.pool, learner.id, quiz.id);
  expect((await review(quiz))[0]).toMatchObject(why);
});

test('a drill without feedback says why only when it has ended', async () => {
  const quiz = await start({ instantFeedback: false });
  expect(JSON.stringify(await answer(quiz, 0, 'wrong a'))).not.toMatch(SECRET);
  expect(JSON.stringify(await read(quiz))).not.toMatch(SECRET);
  await endQuiz(database.pool, learner.id, quiz.id);
  const [first] = quiz.questions;
  expect((await read(quiz)).answers).toMatchObject({
    [first!.uuid]: whyOf(numberOf(first!), ['a', 'c']),
  });
});

test('a practice test says why only after hand-in, and only of the options that it showed', async () => {
  const quiz = await start({ topic: 'Praktisk prøve' });
  expect(JSON.stringify(quiz)).not.toMatch(SECRET);
  expect(JSON.stringify(await answer(quiz, 0, 'wrong a'))).not.toMatch(SECRET);
  expect(JSON.stringify(await read(quiz))).not.toMatch(SECRET);
  await expect(review(quiz)).rejects.toMatchObject({ code: 'quiz_not_found' });
  await endQuiz(database.pool, learner.id, quiz.id);
  const [first] = quiz.questions;
  const why = whyOf(numberOf(first!), ['a']);
  expect((await read(quiz)).answers[first!.uuid]).toMatchObject(why);
  const reviewed = await review(quiz);
  expect(reviewed.find(({ uuid }) => uuid === first!.uuid)).toMatchObject(why);
});

test('a translation says why after the answer, of the translated options', async () => {
  const quiz = await start({});
  const [{ uuid: questionUuid }] = quiz.questions as [Session['questions'][number]];
  const readEnglish = () =>
    readTranslation(database.pool, learner.id, { quizId: quiz.id, questionUuid, language: 'en' });
  await expect(readEnglish()).rejects.toMatchObject({ code: 'question_not_answered' });
  await answer(quiz, 0, 'right');
  const { reasons, options } = await readEnglish();
  expect(reasons).toEqual(
    ['a', 'c'].map((which) => ({
      option: options.find((option) => option.startsWith(`wrong ${which}`)),
      reason: `secret ${which} en ${numberOf(quiz.questions[0]!)}`,
    })),
  );
});

test('after the correction of a key, no reason says that the right answer is wrong', async () => {
  const quiz = await start({});
  const [first, second] = quiz.questions;
  await answer(quiz, 0, 'wrong a');
  for (const { id } of [first!, second!]) {
    const { version, incorrect } = await readBankQuestion(database.pool, id);
    await correctKey(database.pool, {
      question: id,
      version,
      answer: incorrect[0]!,
      actor: 'admin@example.no',
    });
  }
  const reasonsOf = (question: Session['questions'][number]) =>
    whyOf(numberOf(question), ['c']).reasons;
  expect((await read(quiz)).answers[first!.uuid]).toMatchObject({ reasons: reasonsOf(first!) });
  expect(await answer(quiz, 1, 'right')).toMatchObject({
    correct: false,
    reasons: reasonsOf(second!),
  });
  await endQuiz(database.pool, learner.id, quiz.id);
  const reviewed = await review(quiz);
  expect(reviewed.slice(0, 2).map(({ reasons }) => reasons)).toEqual(
    [first!, second!].map(reasonsOf),
  );
  // A quiz that starts now shows the old key as a wrong answer, without a reason.
  const { incorrect, incorrect_reasons } = await readBankQuestion(database.pool, first!.id);
  expect([incorrect[0], incorrect_reasons![0]]).toEqual([`right no ${numberOf(first!)}`, null]);
});
