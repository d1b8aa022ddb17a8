import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { inRequestContext, requestContext } from '#tracing/request-context.ts';
import { withTransaction } from '#database/pool.ts';
import { createLearner, createQuestions } from '@proveklar/tests/support/factories.ts';
import { answerQuestion } from './answer-question.ts';
import { cancelQuiz, endQuiz } from './end-quiz.ts';
import { readQuiz } from './read-quiz.ts';
import { startQuizOf, withQuizzes } from '@proveklar/tests/support/quizzes.ts';

const ground = withQuizzes();
const { database, start, answer, events, waiting } = ground;

describe('starting a quiz', () => {
  test('whose learner is being deleted waits for that, and then makes none', async () => {
    const { id } = await createLearner(database.pool);
    const begin = () => startQuizOf(database.pool, id);
    let starting: Promise<unknown> | undefined;
    await withTransaction(database.pool, async (tx) => {
      await tx.query('select from account where id = $1 for update', [id]);
      starting = begin().then(
        () => 'started',
        (error: { code?: string }) => error.code,
      );
      await expect.poll(waiting).toBe(1);
      await tx.query(`update account set state = 'deleted' where id = $1`, [id]);
    });
    expect(await starting).toBe('account_disabled');
  });

  test('draws different questions of the topic and tells of it in the outbox', async () => {
    const quiz = await start();
    expect(quiz).toMatchObject({ topic: 'Historie', state: 'open', score: 0, total: 10 });
    expect(new Set(quiz.questions.map((question) => question.uuid)).size).toBe(10);
    expect(quiz.questions.every((question) => question.topic === 'Historie')).toBe(true);
    const [started] = await events(quiz, 'quiz.started');
    expect(started.question_ids).toEqual(quiz.questions.map((question) => question.id));
  });

  test('tells nothing of the keys', async () => {
    const text = JSON.stringify(await start());
    expect(text).not.toMatch(/correct_answer|"answer"|incorrect|explanation/);
  });

  test('gives as many questions as there are when the bank has fewer', async () => {
    const quiz = await start({ questionCount: 50 });
    expect(quiz.total).toBe(12);
  });

  test('spreads a quiz over all topics', async () => {
    const quiz = await start({ topic: 'all', questionCount: 12 });
    const byTopic = Map.groupBy(quiz.questions, (question) => question.topic);
    expect([...byTopic.values()].map((questions) => questions.length)).toEqual([3, 3, 3, 3]);
  });

  test('refuses a topic without questions', async () => {
    await expect(start({ topic: 'Astronomi' })).rejects.toMatchObject({ code: 'topic_unknown' });
    await expect(start({ language: 'en' })).rejects.toMatchObject({ code: 'topic_unknown' });
  });

  test('draws no question that is pending or retired', async () => {
    await createQuestions(database.pool, { topic: 'Hidden', count: 3 });
    const { rows } = await database.pool.query(
      `update question set validated = (question <> 'Hidden no 0?'),
         retired_at = case when question = 'Hidden no 1?' then now() end
       where topic = 'Hidden' returning id`,
    );
    const quiz = await start({ topic: 'Hidden' });
    expect(rows).toHaveLength(3);
    expect(quiz.questions.map((question) => question.question)).toEqual(['Hidden no 2?']);
  });

  test('gives every question its chance', async () => {
    const seen = new Set<string>();
    for (let index = 0; index < 40; index += 1) {
      const quiz = await start({ questionCount: 5 });
      for (const question of quiz.questions) seen.add(question.uuid);
    }
    expect(seen.size).toBe(12);
  });
});

describe('answering in a drill', () => {
  test('tells at once, and counts the score', async () => {
    const quiz = await start();
    expect(await answer(quiz, 0, 'right')).toMatchObject({ score: 1, correct: true });
    const wrong = await answer(quiz, 1, 'wrong');
    expect(wrong).toMatchObject({ score: 1, correct: false });
    expect(wrong.correct_answer).toMatch(/^right/);
    expect(wrong.explanation).toMatch(/^Because/);
    expect(await answer(quiz, 2, 'right')).toMatchObject({ score: 2, correct: true });
  });

  test('the first answer is final, also when both come at once', async () => {
    const quiz = await start();
    const [first, second] = await Promise.all([answer(quiz, 0, 'right'), answer(quiz, 0, 'wrong')]);
    const again = await answer(quiz, 0, 'wrong');
    expect(first.correct).toBe(again.correct);
    expect(second.correct).toBe(again.correct);
    // Whoever chose another sees which one stands.
    expect(again.answer).toMatch(again.correct ? /^right/ : /^wrong/);
    expect([first.answer, second.answer]).toContain(undefined);
    expect(await events(quiz, 'answer.submitted')).toHaveLength(1);
  });

  test('many at once are stored each for itself, and one that is refused hits no other', async () => {
    const quizzes = await Promise.all(Array.from({ length: 5 }, () => start()));
    const stranger = answer(quizzes[0]!, 0, 'right', 'somebody else');
    const answers = quizzes.flatMap((quiz, index) =>
      quiz.questions.map((_, at) => answer(quiz, at, at < 5 + index ? 'right' : 'wrong')),
    );
    const twice = quizzes.map((quiz) => answer(quiz, 9, 'wrong'));
    await expect(stranger).rejects.toMatchObject({ code: 'quiz_not_found' });
    const told = await Promise.all(answers);
    expect((await Promise.all(twice)).map(({ correct }) => correct)).not.toContain(true);
    for (const [index, quiz] of quizzes.entries()) {
      const own = told.slice(index * 10, index * 10 + 10);
      expect(own.map(({ correct }) => correct)).toEqual(own.map((_, at) => at < 5 + index));
      expect(own.map((one) => one.correct_answer).every((key) => key?.startsWith('right'))).toBe(
        true,
      );
      const submitted = await events(quiz, 'answer.submitted');
      expect(new Set(submitted.map((payload) => payload.question_id)).size).toBe(10);
      expect(submitted.filter((payload) => payload.correct)).toHaveLength(5 + index);
    }
  });

  test('in a quiz that somebody is changing waits, and holds up no other', async () => {
    const held = await start();
    const free = await start();
    let late: Promise<unknown>[] = [];
    await withTransaction(database.pool, async (tx) => {
      await tx.query('select from quiz where id = $1 for update', [held.id]);
      late = [0, 1, 2].map((index) => answer(held, index, 'right'));
      await expect.poll(waiting).toBe(3);
      await Promise.all(free.questions.map((_, index) => answer(free, index, 'right')));
      expect(await events(held, 'answer.submitted')).toEqual([]);
    });
    expect(await Promise.all(late)).toHaveLength(3);
    expect(await events(held, 'answer.submitted')).toHaveLength(3);
  });

  test('is stored although another in its statement is nothing that PostgreSQL takes', async () => {
    const quizzes = await Promise.all(Array.from({ length: 4 }, () => start()));
    // The first two go by themselves, the others together.
    const told = await Promise.allSettled(
      quizzes.map((quiz, index) => answer(quiz, 0, 'right', index === 2 ? '\u0000' : undefined)),
    );
    expect(told.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(told[2]).toMatchObject({ reason: { code: '22021' } });
  });

  test('is worked on for its own request, not for the one that it waited for', async () => {
    const quizzes = await Promise.all(Array.from({ length: 4 }, () => start()));
    const workedFor: unknown[] = [];
    const query = vi.spyOn(database.pool, 'query').mockImplementation((...how) => {
      workedFor.push(requestContext()?.request_id);
      return pg.Pool.prototype.query.apply(database.pool, how);
    });
    await Promise.all(
      quizzes.map((quiz, index) =>
        inRequestContext({ request_id: `request-${index}` }, () => answer(quiz, 0, 'right')),
      ),
    );
    query.mockRestore();
    expect(workedFor).toEqual(['request-0', 'request-1', 'request-2']);
  });

  test('waits no longer than a moment for others that hang', async () => {
    const hanging = await Promise.all([start(), start()]);
    const free = await start();
    let late: Promise<unknown>[] = [];
    await withTransaction(database.pool, async (tx) => {
      // Each in a statement of its own, and no lock that a statement would pass over.
      for (const { id, questions } of hanging) {
        await tx.query(
          `insert into quiz_answer (quiz_id, question_id, answer, correct) values ($1, $2, '', false)`,
          [id, questions[0]!.id],
        );
      }
      late = hanging.map((quiz) => answer(quiz, 0, 'right'));
      await expect.poll(waiting).toBe(2);
      expect(await answer(free, 0, 'right')).toMatchObject({ correct: true });
      expect(await waiting()).toBe(2);
    });
    expect(await Promise.all(late)).toHaveLength(2);
  });

  test('without instant feedback nothing is told before the end', async () => {
    const quiz = await start({ instantFeedback: false });
    const told = await answer(quiz, 0, 'wrong');
    expect(told).toEqual({ score: 0, correct: null });
    const standing = await readQuiz(database.pool, ground.learner.id, quiz.id);
    expect(standing.answers[quiz.questions[0]!.uuid]).toMatchObject({ correct: null });
    expect(JSON.stringify(standing)).not.toContain('correct_answer');
  });

  test('refuses what does not belong', async () => {
    const quiz = await start();
    const other = await start({ topic: 'Geografi' });
    const question = quiz.questions[0]!;
    const given = {
      uid: ground.learner.uid,
      signedInAt: Date.now(),
      quizId: quiz.id,
      questionUuid: question.uuid,
      answer: 'x',
    };
    const refused = (change: object) => answerQuestion(database.pool, { ...given, ...change });
    const foreign = other.questions[0]!.uuid;
    await expect(refused({})).rejects.toMatchObject({ code: 'answer_not_an_option' });
    await expect(refused({ questionUuid: foreign })).rejects.toMatchObject({
      code: 'question_not_in_quiz',
    });
    await expect(refused({ uid: 'somebody else' })).rejects.toMatchObject({
      code: 'quiz_not_found',
    });
    expect(await events(quiz, 'answer.submitted')).toEqual([]);
  });

  test('a disabled account cannot answer', async () => {
    const quiz = await start();
    const setState = (state: string) =>
      database.pool.query('update account set state = $1 where id = $2', [
        state,
        ground.learner.id,
      ]);
    await setState('disabled');
    try {
      await expect(answer(quiz, 0, 'right')).rejects.toMatchObject({ code: 'account_disabled' });
    } finally {
      await setState('active');
    }
  });
});

describe('ending a quiz', () => {
  test('gives the score, the same one again, and opens the keys', async () => {
    const quiz = await start();
    await answer(quiz, 0, 'right');
    await answer(quiz, 1, 'wrong');
    const result = await endQuiz(database.pool, ground.learner.id, quiz.id);
    expect(result).toEqual({ score: 1, total: 10, passed: null });
    expect(await endQuiz(database.pool, ground.learner.id, quiz.id)).toEqual(result);
    const ended = await readQuiz(database.pool, ground.learner.id, quiz.id);
    expect(Object.keys(ended.answers)).toHaveLength(10);
    expect(ended.answers[quiz.questions[5]!.uuid]).toMatchObject({ answer: '', correct: false });
    await expect(answer(quiz, 2, 'right')).rejects.toMatchObject({ code: 'quiz_closed' });
  });

  test('an answer that races it is in the score or refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const quiz = await start();
      const [answered, ended] = await Promise.allSettled([
        answer(quiz, 0, 'right'),
        endQuiz(database.pool, ground.learner.id, quiz.id),
      ]);
      const { score } = (ended as PromiseFulfilledResult<{ score: number }>).value;
      expect(score).toBe(answered.status === 'fulfilled' ? 1 : 0);
    }
  });

  test('a cancelled quiz has no result', async () => {
    const quiz = await start();
    await cancelQuiz(database.pool, ground.learner.id, quiz.id);
    await cancelQuiz(database.pool, ground.learner.id, quiz.id);
    await expect(answer(quiz, 0, 'right')).rejects.toMatchObject({ code: 'quiz_closed' });
    await expect(endQuiz(database.pool, ground.learner.id, quiz.id)).rejects.toMatchObject({
      code: 'quiz_closed',
    });
  });

  test('nobody ends, reads or leaves the quiz of another', async () => {
    const quiz = await start();
    const other = await createLearner(database.pool);
    for (const call of [endQuiz, readQuiz, cancelQuiz]) {
      await expect(call(database.pool, other.id, quiz.id)).rejects.toMatchObject({
        code: 'quiz_not_found',
      });
    }
    expect((await readQuiz(database.pool, ground.learner.id, quiz.id)).state).toBe('open');
  });
});

describe('a practice test', () => {
  const practise = () => start({ topic: 'Praktisk prøve', instantFeedback: true });

  test('is as long as the exam, with three options and no feedback', async () => {
    const quiz = await practise();
    expect(quiz).toMatchObject({ total: 34, score: null, instant_feedback: false });
    expect(quiz.questions).toHaveLength(38);
    expect(quiz.questions.every((question) => question.options.length === 3)).toBe(true);
    expect(quiz.exam).toMatchObject({ pass_mark: 26, counted_questions: 34, passed: null });
  });

  test('lets an answer be changed, and tells of answers at hand-in only', async () => {
    const quiz = await practise();
    expect(await answer(quiz, 0, 'wrong')).toEqual({ score: null, correct: null });
    await answer(quiz, 0, 'right');
    expect(await events(quiz, 'answer.submitted')).toEqual([]);
    await endQuiz(database.pool, ground.learner.id, quiz.id);
    expect(await events(quiz, 'answer.submitted')).toMatchObject([{ correct: true }]);
  });

  test('is passed with enough right answers among those that count', async () => {
    const quiz = await practise();
    for (const index of quiz.questions.keys()) await answer(quiz, index, 'right');
    const result = await endQuiz(database.pool, ground.learner.id, quiz.id);
    expect(result).toEqual({ score: 34, total: 34, passed: true });
    const failed = await practise();
    expect(await endQuiz(database.pool, ground.learner.id, failed.id)).toMatchObject({
      passed: false,
    });
    expect(JSON.stringify(quiz)).not.toContain('counted"');
    const { answers } = await readQuiz(database.pool, ground.learner.id, failed.id);
    expect(
      Object.values(answers).filter((answer) => 'counted' in answer && !answer.counted),
    ).toHaveLength(4);
  });

  test('takes only an option that it shows', async () => {
    const quiz = await practise();
    const question = quiz.questions[0]!;
    const number = / (\d+)\?$/.exec(question.question)?.[1] ?? '';
    const hidden = { questionUuid: question.uuid, answer: `wrong c ${number}` };
    const own = { uid: ground.learner.uid, signedInAt: Date.now(), quizId: quiz.id };
    await expect(answerQuestion(database.pool, { ...own, ...hidden })).rejects.toMatchObject({
      code: 'answer_not_an_option',
    });
  });

  test('needs a bank that fills it', async () => {
    await createQuestions(database.pool, { language: 'en', count: 5 });
    await expect(start({ topic: 'Praktisk prøve', language: 'en' })).rejects.toMatchObject({
      code: 'not_enough_questions',
    });
  });
});
