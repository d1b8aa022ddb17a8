import { beforeAll, describe, expect, test } from 'vitest';
import { createLearner, createQuestions } from '@proveklar/tests/support/factories.ts';
import { readBankQuestion } from '#questions/bank-question.ts';
import { editQuestion } from '#questions/edit-question.ts';
import { endQuiz } from './end-quiz.ts';
import { readQuiz } from './read-quiz.ts';
import { readTranslation } from './read-translation.ts';
import { withQuizzes, type Session } from '@proveklar/tests/support/quizzes.ts';

const fixture = withQuizzes();
const { database, start, answer } = fixture;

describe('the same question in another language', () => {
  const TOPIC = 'Utdanning';
  /** Puts each Norwegian question of the topic and its English one, by number, into one group. */
  beforeAll(async () => {
    await createQuestions(database.pool, { topic: TOPIC, language: 'en' });
    await database.pool.query(
      `update question set translation_group = substring(question from '\\d+') where topic = $1`,
      [TOPIC],
    );
  });
  const read = (quiz: Session, index: number, language = 'en', accountId = fixture.learner.id) =>
    readTranslation(database.pool, accountId, {
      quizId: quiz.id,
      questionUuid: quiz.questions[index]!.uuid,
      language,
    });
  const refusal = (code: string) => expect.objectContaining({ code });

  test('is returned with its key once the key may be revealed, in both directions', async () => {
    for (const [language, other] of [
      ['no', 'en'],
      ['en', 'no'],
    ] as const) {
      const quiz = await start({ topic: TOPIC, language });
      expect(quiz.questions.every(({ translated }) => translated)).toBe(true);
      await expect(read(quiz, 0, other)).rejects.toEqual(refusal('question_not_answered'));
      await answer(quiz, 0, 'wrong');
      const asked = quiz.questions[0]!.question;
      const number = /\d+/.exec(asked)?.[0] ?? '';
      const translation = await read(quiz, 0, other);
      expect(translation).toMatchObject({
        language: other,
        question: `${TOPIC} ${other} ${number}?`,
        answer: `right ${number}`,
        explanation: `Because ${number}.`,
      });
      // The factories give both languages the same options, so they must be equal, in the same order.
      expect(translation.options).toEqual(quiz.questions[0]!.options);
      await expect(read(quiz, 1, other)).rejects.toEqual(refusal('question_not_answered'));
      await expect(read(quiz, 0, language)).rejects.toEqual(refusal('translation_not_found'));
    }
  });

  test('is refused until the end of a quiz without instant feedback', async () => {
    const quiz = await start({ topic: TOPIC, instantFeedback: false });
    await answer(quiz, 0, 'right');
    await expect(read(quiz, 0)).rejects.toEqual(refusal('question_not_answered'));
    await endQuiz(database.pool, fixture.learner.id, quiz.id);
    expect(await read(quiz, 0)).toMatchObject({ language: 'en' });
    // Not answered, but the key is revealed after the end.
    expect(await read(quiz, 1)).toMatchObject({ language: 'en' });
  });

  test('pairs its options by position, and has none where the positions are not reliable', async () => {
    const { pool } = database;
    const quiz = await start({ topic: TOPIC, questionCount: 12 });
    const [paired, more, edited] = quiz.questions;
    const set = (question: string, incorrect: string[]) =>
      pool.query('update question set incorrect = $2 where question = $1', [question, incorrect]);
    const english = (asked = paired) => asked!.question.replace(' no ', ' en ');
    await set(english(), ['first', 'second', 'third']);
    await set(english(more), ['first', 'second']);
    // In the bank this question has other options than in the quiz.
    const { question, version, topic, answer: key } = await readBankQuestion(pool, edited!.id);
    await editQuestion(pool, {
      question: edited!.id,
      version,
      actor: 'admin@example.no',
      content: {
        question,
        topic,
        answer: key,
        // As in the factories: later tests draw this question too.
        incorrect: ['wrong new a', 'wrong new b', 'wrong new c'],
        explanation: null,
        source_url: null,
        checked_at: null,
        tags: [],
      },
    });
    await endQuiz(pool, fixture.learner.id, quiz.id);
    const places = new Map([
      ['right', 'right'],
      ['wrong a', 'first'],
      ['wrong b', 'second'],
      ['wrong c', 'third'],
    ]);
    expect((await read(quiz, 0)).options.map((option) => option.replace(/ \d+$/, ''))).toEqual(
      paired!.options.map((option) => places.get(option.replace(/ \d+$/, ''))),
    );
    expect(await read(quiz, 1)).toMatchObject({ options: [], answer: expect.any(String) });
    expect(await read(quiz, 2)).toMatchObject({ options: [], answer: expect.any(String) });
  });

  test('is refused for the quiz of another account, and for a question that is not in the quiz', async () => {
    const quiz = await start({ topic: TOPIC });
    await answer(quiz, 0, 'right');
    const other = await createLearner(database.pool);
    await expect(read(quiz, 0, 'en', other.id)).rejects.toEqual(refusal('quiz_not_found'));
    const elsewhere = { quizId: quiz.id, questionUuid: crypto.randomUUID(), language: 'en' };
    await expect(readTranslation(database.pool, fixture.learner.id, elsewhere)).rejects.toEqual(
      refusal('question_not_found'),
    );
  });

  test('is missing when it is pending, retired, or in a language that is not offered', async () => {
    const quiz = await start({ topic: TOPIC, questionCount: 12 });
    const [pending, retired, foreign] = quiz.questions.map(({ question }) =>
      question.replace(' no ', ' en '),
    );
    await database.pool.query(`update question set language = 'uk' where question = $1`, [foreign]);
    await database.pool.query('update question set validated = false where question = $1', [
      pending,
    ]);
    await database.pool.query('update question set retired_at = now() where question = $1', [
      retired,
    ]);
    await endQuiz(database.pool, fixture.learner.id, quiz.id);
    const session = await readQuiz(database.pool, fixture.learner.id, quiz.id);
    expect(session.questions.map(({ translated }) => translated)).toEqual(
      session.questions.map((_, index) => index > 2),
    );
    for (const index of [0, 1, 2]) {
      await expect(read(quiz, index)).rejects.toEqual(refusal('translation_not_found'));
    }
    expect(await read(quiz, 3)).toMatchObject({ language: 'en' });
  });
});
