import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { inRequestContext, requestContext } from '#tracing/request-context.ts';
import { withTransaction } from '#database/pool.ts';
import { createLearner, createQuestions } from '@proveklar/tests/support/factories.ts';
import { answerQuestion } from './answer-question.ts';
import { cancelQuiz, endQuiz } from './end-quiz.ts';
import { readQuiz } from './read-quiz.ts';
import { startQuizOf, withQuizzes } from '@proveklar/tests/support/quizzes.ts';

const fixture = withQuizzes();
const { database, start, answer, events, waiting } = fixture;

describe('starting a quiz', () => {
  test('waits for a concurrent deletion of the account, and then fails', async () => {
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

  test('draws different questions of the topic and emits quiz.started', async () => {
    const quiz = await start();
    expect(quiz).toMatchObject({ topic: 'Historie', state: 'open', score: 0, total: 10 });
    expect(new Set(quiz.questions.map((question) => question.uuid)).size).toBe(10);
    expect(quiz.questions.every((question) => question.topic === 'Historie')).toBe(true);
    const [started] = await events(quiz, 'quiz.started');
    expect(started.question_ids).toEqual(quiz.questions.map((question) => question.id));
  });

  test('reveals no key and no explanation', async () => {
    const text = JSON.stringify(await start());
    expect(text).not.toMatch(/correct_answer|"answer"|incorrect|explanation/);
  });

  test('gives all questions of a topic that has fewer than requested', async () => {
    const quiz = await start({ questionCount: 50 });
    expect(quiz.total).toBe(12);
  });

  test('draws equally from all topics', async () => {
    const quiz = await start({ topic: 'all', questionCount: 12 });
    const byTopic = Map.groupBy(quiz.questions, (question) => question.topic);
    expect([...byTopic.values()].map((questions) => questions.length)).toEqual([3, 3, 3, 3]);
  });

  test('draws new questions of a topic first where that is asked for, and then the others', async () => {
    const learner = await createLearner(database.pool);
    const drill = (questionCount: number, newFirst: boolean) =>
      startQuizOf(database.pool, learner.id, { topic: 'Historie', questionCount, newFirst });
    const met = (await drill(5, false)).questions.map(({ id }) => id);
    await database.pool.query(
      `insert into learner_question (account_id, question_id, times_shown, times_right, first_correct,
         last_correct, last_answered_at, stability, difficulty, due_on)
       select $1, id, 1, 1, true, true, now(), 1, 5, current_date + 1 from unnest($2::bigint[]) as id`,
      [learner.id, met],
    );
    const fresh = (await drill(7, true)).questions.map(({ id }) => id);
    expect(fresh).toHaveLength(7);
    expect(fresh.filter((id) => met.includes(id))).toEqual([]);
    const all = (await drill(10, true)).questions.map(({ id }) => id);
    expect(new Set(all.slice(0, 7))).toEqual(new Set(fresh));
    expect(new Set(all).size).toBe(10);
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

  test('draws every question of the topic sooner or later', async () => {
    const seen = new Set<string>();
    for (let index = 0; index < 40; index += 1) {
      const quiz = await start({ questionCount: 5 });
      for (const question of quiz.questions) seen.add(question.uuid);
    }
    expect(seen.size).toBe(12);
  });
});

describe('answering in a drill', () => {
  test('returns result, key, explanation and score at once', async () => {
    const quiz = await start();
    expect(await answer(quiz, 0, 'right')).toMatchObject({ score: 1, correct: true });
    const wrong = await answer(quiz, 1, 'wrong');
    expect(wrong).toMatchObject({ score: 1, correct: false });
    expect(wrong.correct_answer).toMatch(/^right/);
    expect(wrong.explanation).toMatch(/^Because/);
    expect(await answer(quiz, 2, 'right')).toMatchObject({ score: 2, correct: true });
  });

  test('keeps the first of two answers to a question, also of concurrent ones', async () => {
    const quiz = await start();
    const [first, second] = await Promise.all([answer(quiz, 0, 'right'), answer(quiz, 0, 'wrong')]);
    const again = await answer(quiz, 0, 'wrong');
    expect(first.correct).toBe(again.correct);
    expect(second.correct).toBe(again.correct);
    // The later answer returns the stored one.
    expect(again.answer).toMatch(again.correct ? /^right/ : /^wrong/);
    expect([first.answer, second.answer]).toContain(undefined);
    expect(await events(quiz, 'answer.submitted')).toHaveLength(1);
  });

  test('stores concurrent answers independently, although one is refused', async () => {
    const quizzes = await Promise.all(Array.from({ length: 5 }, () => start()));
    const stranger = answer(quizzes[0]!, 0, 'right', 'another-uid');
    const answers = quizzes.flatMap((quiz, index) =>
      quiz.questions.map((_, at) => answer(quiz, at, at < 5 + index ? 'right' : 'wrong')),
    );
    const twice = quizzes.map((quiz) => answer(quiz, 9, 'wrong'));
    await expect(stranger).rejects.toMatchObject({ code: 'quiz_not_found' });
    const outcomes = await Promise.all(answers);
    expect((await Promise.all(twice)).map(({ correct }) => correct)).not.toContain(true);
    for (const [index, quiz] of quizzes.entries()) {
      const own = outcomes.slice(index * 10, index * 10 + 10);
      expect(own.map(({ correct }) => correct)).toEqual(own.map((_, at) => at < 5 + index));
      expect(own.map((one) => one.correct_answer).every((key) => key?.startsWith('right'))).toBe(
        true,
      );
      const submitted = await events(quiz, 'answer.submitted');
      expect(new Set(submitted.map((payload) => payload.question_id)).size).toBe(10);
      expect(submitted.filter((payload) => payload.correct)).toHaveLength(5 + index);
    }
  });

  test('waits for a locked quiz without delaying answers to other quizzes', async () => {
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

  test('stores an answer although PostgreSQL rejects another one in its batch', async () => {
    const quizzes = await Promise.all(Array.from({ length: 4 }, () => start()));
    // The first two are sent alone, the others in one batch.
    const outcomes = await Promise.allSettled(
      quizzes.map((quiz, index) => answer(quiz, 0, 'right', index === 2 ? '\u0000' : undefined)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(outcomes[2]).toMatchObject({ reason: { code: '22021' } });
  });

  test('runs a batch in the context of its first request, not of the one that it waited for', async () => {
    const quizzes = await Promise.all(Array.from({ length: 4 }, () => start()));
    const requestIds: unknown[] = [];
    const query = vi.spyOn(database.pool, 'query').mockImplementation((...args) => {
      requestIds.push(requestContext()?.request_id);
      return pg.Pool.prototype.query.apply(database.pool, args);
    });
    await Promise.all(
      quizzes.map((quiz, index) =>
        inRequestContext({ request_id: `request-${index}` }, () => answer(quiz, 0, 'right')),
      ),
    );
    query.mockRestore();
    expect(requestIds).toEqual(['request-0', 'request-1', 'request-2']);
  });

  test('stops waiting for hanging statements after a second', async () => {
    const hanging = await Promise.all([start(), start()]);
    const free = await start();
    let late: Promise<unknown>[] = [];
    await withTransaction(database.pool, async (tx) => {
      // Blocks each of the two statements by an uncommitted row, which they cannot skip.
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

  test('reveals nothing but the score without instant feedback', async () => {
    const quiz = await start({ instantFeedback: false });
    const outcome = await answer(quiz, 0, 'wrong');
    expect(outcome).toEqual({ score: 0, correct: null });
    const session = await readQuiz(database.pool, fixture.learner.id, quiz.id);
    expect(session.answers[quiz.questions[0]!.uuid]).toMatchObject({ correct: null });
    expect(JSON.stringify(session)).not.toContain('correct_answer');
  });

  test('refuses an unknown option, a question of another quiz, and another learner', async () => {
    const quiz = await start();
    const other = await start({ topic: 'Geografi' });
    const question = quiz.questions[0]!;
    const given = {
      uid: fixture.learner.uid,
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
    await expect(refused({ uid: 'another-uid' })).rejects.toMatchObject({
      code: 'quiz_not_found',
    });
    expect(await events(quiz, 'answer.submitted')).toEqual([]);
  });

  test('refuses the answer of a disabled account', async () => {
    const quiz = await start();
    const setState = (state: string) =>
      database.pool.query('update account set state = $1 where id = $2', [
        state,
        fixture.learner.id,
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
  test('returns the score, also when repeated, and reveals the keys', async () => {
    const quiz = await start();
    await answer(quiz, 0, 'right');
    await answer(quiz, 1, 'wrong');
    const result = await endQuiz(database.pool, fixture.learner.id, quiz.id);
    expect(result).toEqual({ score: 1, total: 10, passed: null });
    expect(await endQuiz(database.pool, fixture.learner.id, quiz.id)).toEqual(result);
    const ended = await readQuiz(database.pool, fixture.learner.id, quiz.id);
    expect(Object.keys(ended.answers)).toHaveLength(10);
    expect(ended.answers[quiz.questions[5]!.uuid]).toMatchObject({ answer: '', correct: false });
    await expect(answer(quiz, 2, 'right')).rejects.toMatchObject({ code: 'quiz_closed' });
  });

  test('counts a concurrent answer in the score or refuses it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const quiz = await start();
      const [answered, ended] = await Promise.allSettled([
        answer(quiz, 0, 'right'),
        endQuiz(database.pool, fixture.learner.id, quiz.id),
      ]);
      const { score } = (ended as PromiseFulfilledResult<{ score: number }>).value;
      expect(score).toBe(answered.status === 'fulfilled' ? 1 : 0);
    }
  });

  test('refuses to end or answer a cancelled quiz', async () => {
    const quiz = await start();
    await cancelQuiz(database.pool, fixture.learner.id, quiz.id);
    await cancelQuiz(database.pool, fixture.learner.id, quiz.id);
    await expect(answer(quiz, 0, 'right')).rejects.toMatchObject({ code: 'quiz_closed' });
    await expect(endQuiz(database.pool, fixture.learner.id, quiz.id)).rejects.toMatchObject({
      code: 'quiz_closed',
    });
  });

  test('refuses to end, read or cancel the quiz of another account', async () => {
    const quiz = await start();
    const other = await createLearner(database.pool);
    for (const call of [endQuiz, readQuiz, cancelQuiz]) {
      await expect(call(database.pool, other.id, quiz.id)).rejects.toMatchObject({
        code: 'quiz_not_found',
      });
    }
    expect((await readQuiz(database.pool, fixture.learner.id, quiz.id)).state).toBe('open');
  });
});

describe('a practice test', () => {
  const practise = () => start({ topic: 'Praktisk prøve', instantFeedback: true });

  test('has the length of the exam, three options and no feedback', async () => {
    const quiz = await practise();
    expect(quiz).toMatchObject({ total: 34, score: null, instant_feedback: false });
    expect(quiz.questions).toHaveLength(38);
    expect(quiz.questions.every((question) => question.options.length === 3)).toBe(true);
    expect(quiz.exam).toMatchObject({ pass_mark: 26, counted_questions: 34, passed: null });
  });

  test('lets an answer be changed, and emits answer.submitted only at hand-in', async () => {
    const quiz = await practise();
    expect(await answer(quiz, 0, 'wrong')).toEqual({ score: null, correct: null });
    await answer(quiz, 0, 'right');
    expect(await events(quiz, 'answer.submitted')).toEqual([]);
    await endQuiz(database.pool, fixture.learner.id, quiz.id);
    expect(await events(quiz, 'answer.submitted')).toMatchObject([{ correct: true }]);
  });

  test('is passed with enough right answers among those that count', async () => {
    const quiz = await practise();
    for (const index of quiz.questions.keys()) await answer(quiz, index, 'right');
    const result = await endQuiz(database.pool, fixture.learner.id, quiz.id);
    expect(result).toEqual({ score: 34, total: 34, passed: true });
    const failed = await practise();
    expect(await endQuiz(database.pool, fixture.learner.id, failed.id)).toMatchObject({
      passed: false,
    });
    expect(JSON.stringify(quiz)).not.toContain('counted"');
    const { answers } = await readQuiz(database.pool, fixture.learner.id, failed.id);
    expect(
      Object.values(answers).filter((answer) => 'counted' in answer && !answer.counted),
    ).toHaveLength(4);
  });

  test('refuses an option that it does not show', async () => {
    const quiz = await practise();
    const question = quiz.questions[0]!;
    const number = / (\d+)\?$/.exec(question.question)?.[1] ?? '';
    const hidden = { questionUuid: question.uuid, answer: `wrong c ${number}` };
    const own = { uid: fixture.learner.uid, signedInAt: Date.now(), quizId: quiz.id };
    await expect(answerQuestion(database.pool, { ...own, ...hidden })).rejects.toMatchObject({
      code: 'answer_not_an_option',
    });
  });

  test('is refused when the bank has too few questions', async () => {
    await createQuestions(database.pool, { language: 'en', count: 5 });
    await expect(start({ topic: 'Praktisk prøve', language: 'en' })).rejects.toMatchObject({
      code: 'not_enough_questions',
    });
  });
});
