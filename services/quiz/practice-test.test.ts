import { describe, expect, test } from 'vitest';
import { withTransaction } from '#database/pool.ts';
import { createLearner } from '@proveklar/tests/support/factories.ts';
import { cancelQuiz, endQuiz } from './end-quiz.ts';
import { markQuestion, readQuiz } from './read-quiz.ts';
import { GRACE_SECONDS, handInOverdue } from './hand-in.ts';
import { listHistory, listOpenQuizzes } from './quiz-history.ts';
import { type QuizRequest } from './start-quiz.ts';
import { withQuizzes, type Session } from '@proveklar/tests/support/quizzes.ts';

const fixture = withQuizzes();
const { database, start, answer, events } = fixture;

describe('the clock of a practice test', () => {
  const practise = (request: Partial<QuizRequest> = {}) =>
    start({ topic: 'Praktisk prøve', ...request });
  const read = (quiz: Session) => readQuiz(database.pool, fixture.learner.id, quiz.id);

  /** Moves the deadline to this many seconds ago, and the start to an hour before it. */
  const expire = (quiz: Session, seconds: number) =>
    database.pool.query(
      `update quiz set deadline_at = now() - make_interval(secs => $2),
         started_at = now() - make_interval(hours => 1, secs => $2) where id = $1`,
      [quiz.id, seconds],
    );

  test('returns the seconds left, so that the client needs no correct clock', async () => {
    const quiz = await practise();
    expect(quiz.exam).toMatchObject({ minutes: 60 });
    expect(quiz.exam!.seconds_left).toBeGreaterThan(3000);
    expect(quiz.exam!.seconds_left).toBeLessThanOrEqual(3600);
    expect((await start()).exam).toBeNull();
  });

  test('is the exam of the learner’s plan, if the request names none', async () => {
    const { id } = fixture.learner;
    await database.pool.query(
      `insert into learner_plan (account_id, exam) values ($1, 'statsborger')`,
      [id],
    );
    expect((await practise({ exam: undefined })).exam).toMatchObject({ name: 'statsborger' });
    expect((await practise({ exam: 'samfunnskunnskap' })).exam).toMatchObject({
      name: 'samfunnskunnskap',
    });
    await database.pool.query('delete from learner_plan where account_id = $1', [id]);
    expect((await practise({ exam: undefined })).exam).toMatchObject({ name: 'samfunnskunnskap' });
  });

  test('is in the list of open quizzes, where drills without an answer come last', async () => {
    await database.pool.query(
      `update quiz set state = 'cancelled', ended_at = now() where account_id = $1 and state = 'open'`,
      [fixture.learner.id],
    );
    const [untimed, timed] = [await practise({ timed: false }), await practise()];
    const answered = await start();
    await answer(answered, 0, 'right');
    const untouched = [];
    for (let drill = 0; drill < 5; drill += 1) untouched.push(await start());
    const open = (await listOpenQuizzes(database.pool, fixture.learner.id)).slice(0, 5);
    const shown = [answered, timed, untimed, untouched[4], untouched[3]];
    expect(open.map(({ id }) => id)).toEqual(shown.map((quiz) => quiz!.id));
    const [, { seconds_left: left }] = open as [unknown, (typeof open)[number]];
    expect(left).toBeGreaterThan(3000);
    expect(left).toBeLessThanOrEqual(3600);
    expect(open.map(({ seconds_left }) => seconds_left === null)).toEqual([
      true,
      false,
      true,
      true,
      true,
    ]);
  });

  test('can be switched off', async () => {
    const quiz = await practise({ timed: false });
    expect(quiz.exam).toMatchObject({ minutes: null, seconds_left: null, deadline_at: null });
    expect(await answer(quiz, 0, 'right')).toEqual({ score: null, correct: null });
    await endQuiz(database.pool, fixture.learner.id, quiz.id);
    expect((await read(quiz)).exam).toMatchObject({ passed: false, deadline_at: null });
  });

  test('accepts an answer within the grace period, and none after it', async () => {
    const quiz = await practise();
    await answer(quiz, 0, 'right');
    await expire(quiz, GRACE_SECONDS - 5);
    expect(await answer(quiz, 1, 'right')).toEqual({ score: null, correct: null });
    expect(await read(quiz)).toMatchObject({ state: 'open', exam: { seconds_left: 0 } });
    await expect(cancelQuiz(database.pool, fixture.learner.id, quiz.id)).rejects.toMatchObject({
      code: 'quiz_closed',
    });
    await expire(quiz, GRACE_SECONDS + 1);
    await expect(answer(quiz, 2, 'right')).rejects.toMatchObject({ code: 'quiz_closed' });
    const ended = await read(quiz);
    expect(ended.state).toBe('ended');
    expect(ended.ended_at).toBe(ended.exam!.deadline_at);
    expect(await events(quiz, 'answer.submitted')).toHaveLength(2);
  });

  test.each([
    ['read', (quiz: Session) => read(quiz)],
    ['answer', (quiz: Session) => answer(quiz, 0, 'right').catch(() => {})],
    ['hand in', (quiz: Session) => endQuiz(database.pool, fixture.learner.id, quiz.id)],
    [
      'cancel',
      (quiz: Session) => cancelQuiz(database.pool, fixture.learner.id, quiz.id).catch(() => {}),
    ],
    ['mark', (quiz: Session) => mark(quiz, 0, true).catch(() => {})],
    ['list open quizzes', () => listOpenQuizzes(database.pool, fixture.learner.id)],
    ['history', () => listHistory(database.pool, fixture.learner.id)],
    ['schedule', () => withTransaction(database.pool, (tx) => handInOverdue(tx, 100))],
  ])('hands in an overdue test at: %s', async (_name, call) => {
    const quiz = await practise();
    await answer(quiz, 0, 'right');
    await expire(quiz, 100);
    await call(quiz);
    const { rows } = await database.pool.query(
      'select state, ended_at = deadline_at as on_time from quiz where id = $1',
      [quiz.id],
    );
    expect(rows).toEqual([{ state: 'ended', on_time: true }]);
    expect(await events(quiz, 'quiz.ended')).toHaveLength(1);
  });

  test('concurrent hand-ins give one result and one event for each answer', async () => {
    const quizzes = await Promise.all(Array.from({ length: 5 }, () => practise()));
    for (const quiz of quizzes) {
      for (const index of [0, 1, 2]) await answer(quiz, index, 'right');
      await expire(quiz, 100);
    }
    await Promise.all([
      ...quizzes.flatMap((quiz) => [
        endQuiz(database.pool, fixture.learner.id, quiz.id),
        read(quiz),
        listHistory(database.pool, fixture.learner.id),
      ]),
      withTransaction(database.pool, (tx) => handInOverdue(tx, 100)),
      withTransaction(database.pool, (tx) => handInOverdue(tx, 100)),
    ]);
    for (const quiz of quizzes) {
      const { state, score, answers } = await read(quiz);
      const counted = Object.values(answers).filter(
        (own) => own.correct && 'counted' in own && own.counted,
      );
      expect({ state, score }).toEqual({ state: 'ended', score: counted.length });
      expect(await events(quiz, 'quiz.ended')).toHaveLength(1);
      expect(await events(quiz, 'answer.submitted')).toHaveLength(3);
    }
  });

  test('the schedule hands in the oldest deadlines first, up to its limit', async () => {
    const [young, old] = [await practise(), await practise()];
    await expire(young, 100);
    await expire(old, 200);
    const one = () => withTransaction(database.pool, (tx) => handInOverdue(tx, 1));
    expect(await one()).toBe(1);
    expect(await events(old, 'quiz.ended')).toHaveLength(1);
    expect(await one()).toBe(1);
    expect(await events(young, 'quiz.ended')).toHaveLength(1);
    expect(await one()).toBe(0);
  });
});

const mark = (quiz: Session, index: number, marked: boolean, accountId = fixture.learner.id) =>
  markQuestion(database.pool, accountId, {
    quizId: quiz.id,
    questionUuid: quiz.questions[index]!.uuid,
    marked,
  });

describe('marking a question to come back to it', () => {
  const practise = () => start({ topic: 'Praktisk prøve' });
  const marks = async (quiz: Session) => {
    const { questions } = await readQuiz(database.pool, fixture.learner.id, quiz.id);
    return questions.flatMap(({ marked }, index) => (marked ? [index] : []));
  };

  test('keeps the mark until it is removed', async () => {
    const [quiz, other] = [await practise(), await practise()];
    const inBoth = new Set(other.questions.map(({ uuid }) => uuid));
    const [first, second] = quiz.questions.flatMap(({ uuid }, index) =>
      inBoth.has(uuid) ? [index] : [],
    );
    await mark(quiz, first!, true);
    await mark(quiz, first!, true);
    await mark(quiz, second!, true);
    expect(await marks(quiz)).toEqual([first, second]);
    await mark(quiz, first!, false);
    expect(await marks(quiz)).toEqual([second]);
    await endQuiz(database.pool, fixture.learner.id, quiz.id);
    expect(await marks(quiz)).toEqual([second]);
    expect(await marks(other)).toEqual([]);
  });

  test('is refused for another account, an unknown question, an ended quiz and a drill', async () => {
    const quiz = await practise();
    const other = await createLearner(database.pool);
    const given = { quizId: quiz.id, questionUuid: crypto.randomUUID(), marked: true };
    const foreign = mark(quiz, 0, true, other.id);
    await expect(foreign).rejects.toMatchObject({ code: 'quiz_not_found' });
    await expect(markQuestion(database.pool, fixture.learner.id, given)).rejects.toMatchObject({
      code: 'question_not_in_quiz',
    });
    await endQuiz(database.pool, fixture.learner.id, quiz.id);
    await expect(mark(quiz, 0, true)).rejects.toMatchObject({ code: 'quiz_closed' });
    const drill = mark(await start(), 0, true);
    await expect(drill).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await marks(quiz)).toEqual([]);
  });
});
