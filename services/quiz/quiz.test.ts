import { beforeAll, describe, expect, test } from 'vitest';
import { withTransaction } from '#database/pool.ts';
import { useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner, createQuestions } from '@proveklar/tests/support/factories.ts';
import { readBankQuestion } from '#questions/bank-question.ts';
import { editQuestion } from '#questions/edit-question.ts';
import { answerQuestion } from './answer-question.ts';
import { cancelQuiz, endQuiz } from './end-quiz.ts';
import { ENOUGH_QUESTIONS, readProgress } from './read-progress.ts';
import { markQuestion } from './mark-question.ts';
import { GRACE_SECONDS, handInOverdue } from './overdue.ts';
import { listHistory, listOpenQuizzes } from './quiz-history.ts';
import { readQuiz } from './read-quiz.ts';
import { readTranslation } from './read-translation.ts';
import { startQuiz, type QuizWish } from './start-quiz.ts';

const database = useTestDatabase();
let learner: Awaited<ReturnType<typeof createLearner>>;

beforeAll(async () => {
  learner = await createLearner(database.pool);
  for (const topic of ['Historie', 'Geografi', 'Arbeidsliv', 'Utdanning']) {
    await createQuestions(database.pool, { topic });
  }
});

const start = (wish: Partial<QuizWish> = {}) =>
  startQuiz(database.pool, learner.id, {
    topic: 'Historie',
    language: 'no',
    instantFeedback: true,
    questionCount: 10,
    exam: 'samfunnskunnskap',
    ...wish,
  });

type Session = Awaited<ReturnType<typeof start>>;

const answer = (quiz: Session, index: number, which: 'right' | 'wrong', uid = learner.uid) => {
  const question = quiz.questions[index]!;
  const chosen = question.options.find((option) => option.startsWith(which))!;
  const given = { uid, quizId: quiz.id, questionUuid: question.uuid, answer: chosen };
  return answerQuestion(database.pool, given);
};

const events = async (quiz: Session, name: string) => {
  const { rows } = await database.pool.query(
    `select payload from outbox where name = $1 and payload->>'quiz_id' = $2`,
    [name, quiz.id],
  );
  return rows.map((row) => row.payload);
};

/** How many statements wait for a lock in this database. */
const waiting = async () => {
  const { rowCount } = await database.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount;
};

describe('starting a quiz', () => {
  test('whose learner is being deleted waits for that, and then makes none', async () => {
    const { id } = await createLearner(database.pool);
    const wish = { topic: 'Historie', language: 'no', instantFeedback: true, questionCount: 10 };
    const begin = () => startQuiz(database.pool, id, { ...wish, exam: 'samfunnskunnskap' });
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

  test('without instant feedback nothing is told before the end', async () => {
    const quiz = await start({ instantFeedback: false });
    const told = await answer(quiz, 0, 'wrong');
    expect(told).toEqual({ score: 0, correct: null });
    const standing = await readQuiz(database.pool, learner.id, quiz.id);
    expect(standing.answers[quiz.questions[0]!.uuid]).toMatchObject({ correct: null });
    expect(JSON.stringify(standing)).not.toContain('correct_answer');
  });

  test('refuses what does not belong', async () => {
    const quiz = await start();
    const other = await start({ topic: 'Geografi' });
    const question = quiz.questions[0]!;
    const given = { uid: learner.uid, quizId: quiz.id, questionUuid: question.uuid, answer: 'x' };
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
      database.pool.query('update account set state = $1 where id = $2', [state, learner.id]);
    await setState('disabled');
    try {
      await expect(answer(quiz, 0, 'right')).rejects.toMatchObject({ code: 'account_disabled' });
    } finally {
      await setState('active');
    }
  });
});

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
  const read = (quiz: Session, index: number, language = 'en', accountId = learner.id) =>
    readTranslation(database.pool, accountId, {
      quizId: quiz.id,
      questionUuid: quiz.questions[index]!.uuid,
      language,
    });
  const refusal = (code: string) => expect.objectContaining({ code });

  test('is told with its key once the answer may be known, both ways', async () => {
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
      // The factories write the options of both languages alike: so they stand line by line.
      expect(translation.options).toEqual(quiz.questions[0]!.options);
      await expect(read(quiz, 1, other)).rejects.toEqual(refusal('question_not_answered'));
      await expect(read(quiz, 0, language)).rejects.toEqual(refusal('translation_not_found'));
    }
  });

  test('waits for the end where nothing is told before', async () => {
    const quiz = await start({ topic: TOPIC, instantFeedback: false });
    await answer(quiz, 0, 'right');
    await expect(read(quiz, 0)).rejects.toEqual(refusal('question_not_answered'));
    await endQuiz(database.pool, learner.id, quiz.id);
    expect(await read(quiz, 0)).toMatchObject({ language: 'en' });
    // Not answered, but the key is told by now.
    expect(await read(quiz, 1)).toMatchObject({ language: 'en' });
  });

  test('has the options that the quiz shows, by their place, and none where that cannot tell', async () => {
    const { pool } = database;
    const quiz = await start({ topic: TOPIC, questionCount: 12 });
    const [paired, more, edited] = quiz.questions;
    const set = (question: string, incorrect: string[]) =>
      pool.query('update question set incorrect = $2 where question = $1', [question, incorrect]);
    const english = (asked = paired) => asked!.question.replace(' no ', ' en ');
    await set(english(), ['first', 'second', 'third']);
    await set(english(more), ['first', 'second']);
    // In the bank now, and not what the quiz shows.
    const { question, version, topic, answer: key } = await readBankQuestion(pool, edited!.id);
    await editQuestion(pool, {
      question: edited!.id,
      version,
      actor: 'admin@example.no',
      content: {
        question,
        topic,
        answer: key,
        // Later tests draw it, too.
        incorrect: ['wrong new a', 'wrong new b', 'wrong new c'],
        explanation: null,
        source_url: null,
        checked_at: null,
        tags: [],
      },
    });
    await endQuiz(pool, learner.id, quiz.id);
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

  test("is not of another's quiz, nor of a question that is not in it", async () => {
    const quiz = await start({ topic: TOPIC });
    await answer(quiz, 0, 'right');
    const other = await createLearner(database.pool);
    await expect(read(quiz, 0, 'en', other.id)).rejects.toEqual(refusal('quiz_not_found'));
    const elsewhere = { quizId: quiz.id, questionUuid: crypto.randomUUID(), language: 'en' };
    await expect(readTranslation(database.pool, learner.id, elsewhere)).rejects.toEqual(
      refusal('question_not_found'),
    );
  });

  test('is none while it is pending, once it is retired, or in a language that nobody can ask for', async () => {
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
    await endQuiz(database.pool, learner.id, quiz.id);
    const session = await readQuiz(database.pool, learner.id, quiz.id);
    expect(session.questions.map(({ translated }) => translated)).toEqual(
      session.questions.map((_, index) => index > 2),
    );
    for (const index of [0, 1, 2]) {
      await expect(read(quiz, index)).rejects.toEqual(refusal('translation_not_found'));
    }
    expect(await read(quiz, 3)).toMatchObject({ language: 'en' });
  });
});

describe('ending a quiz', () => {
  test('gives the score, the same one again, and opens the keys', async () => {
    const quiz = await start();
    await answer(quiz, 0, 'right');
    await answer(quiz, 1, 'wrong');
    const result = await endQuiz(database.pool, learner.id, quiz.id);
    expect(result).toEqual({ score: 1, total: 10, passed: null });
    expect(await endQuiz(database.pool, learner.id, quiz.id)).toEqual(result);
    const ended = await readQuiz(database.pool, learner.id, quiz.id);
    expect(Object.keys(ended.answers)).toHaveLength(10);
    expect(ended.answers[quiz.questions[5]!.uuid]).toMatchObject({ answer: '', correct: false });
    await expect(answer(quiz, 2, 'right')).rejects.toMatchObject({ code: 'quiz_closed' });
  });

  test('an answer that races it is in the score or refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const quiz = await start();
      const [answered, ended] = await Promise.allSettled([
        answer(quiz, 0, 'right'),
        endQuiz(database.pool, learner.id, quiz.id),
      ]);
      const { score } = (ended as PromiseFulfilledResult<{ score: number }>).value;
      expect(score).toBe(answered.status === 'fulfilled' ? 1 : 0);
    }
  });

  test('a cancelled quiz has no result', async () => {
    const quiz = await start();
    await cancelQuiz(database.pool, learner.id, quiz.id);
    await cancelQuiz(database.pool, learner.id, quiz.id);
    await expect(answer(quiz, 0, 'right')).rejects.toMatchObject({ code: 'quiz_closed' });
    await expect(endQuiz(database.pool, learner.id, quiz.id)).rejects.toMatchObject({
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
    expect((await readQuiz(database.pool, learner.id, quiz.id)).state).toBe('open');
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
    await endQuiz(database.pool, learner.id, quiz.id);
    expect(await events(quiz, 'answer.submitted')).toMatchObject([{ correct: true }]);
  });

  test('is passed with enough right answers among those that count', async () => {
    const quiz = await practise();
    for (const index of quiz.questions.keys()) await answer(quiz, index, 'right');
    const result = await endQuiz(database.pool, learner.id, quiz.id);
    expect(result).toEqual({ score: 34, total: 34, passed: true });
    const failed = await practise();
    expect(await endQuiz(database.pool, learner.id, failed.id)).toMatchObject({ passed: false });
    expect(JSON.stringify(quiz)).not.toContain('counted"');
    const { answers } = await readQuiz(database.pool, learner.id, failed.id);
    expect(
      Object.values(answers).filter((answer) => 'counted' in answer && !answer.counted),
    ).toHaveLength(4);
  });

  test('takes only an option that it shows', async () => {
    const quiz = await practise();
    const question = quiz.questions[0]!;
    const number = / (\d+)\?$/.exec(question.question)?.[1] ?? '';
    const hidden = { questionUuid: question.uuid, answer: `wrong c ${number}` };
    await expect(
      answerQuestion(database.pool, { uid: learner.uid, quizId: quiz.id, ...hidden }),
    ).rejects.toMatchObject({ code: 'answer_not_an_option' });
  });

  test('needs a bank that fills it', async () => {
    await createQuestions(database.pool, { language: 'en', count: 5 });
    await expect(start({ topic: 'Praktisk prøve', language: 'en' })).rejects.toMatchObject({
      code: 'not_enough_questions',
    });
  });
});

describe('progress', () => {
  let own: typeof learner;
  beforeAll(async () => {
    own = await createLearner(database.pool);
    await createQuestions(database.pool, { topic: 'Helse', count: 6 });
    await createQuestions(database.pool, { topic: 'Natur', count: ENOUGH_QUESTIONS });
  });

  const startOwn = (wish: Partial<QuizWish>) =>
    startQuiz(database.pool, own.id, {
      topic: 'Helse',
      language: 'no',
      instantFeedback: true,
      questionCount: 6,
      exam: 'samfunnskunnskap',
      ...wish,
    });
  const progress = () => readProgress(database.pool, own.id);
  const finish = async (quiz: Session, ...which: ('right' | 'wrong')[]) => {
    for (const [index, how] of which.entries()) await answer(quiz, index, how, own.uid);
    await endQuiz(database.pool, own.id, quiz.id);
  };
  const drawn = (quiz: Session) => quiz.questions.map((question) => question.uuid);

  test('has nothing to say before the first answer', async () => {
    expect(await progress()).toEqual({ topics: [], mistakes: 0, weakest: null });
    await expect(startOwn({ topic: 'mistakes' })).rejects.toMatchObject({ code: 'no_mistakes' });
  });

  test('counts different questions by their latest answer, and what was left out not at all', async () => {
    const first = await startOwn({});
    await finish(first, 'wrong', 'wrong', 'right', 'right');
    expect(await progress()).toMatchObject({
      topics: [{ topic: 'Helse', language: 'no', met: 4, right: 2, enough: false }],
      mistakes: 2,
      weakest: null,
    });
    const second = await startOwn({});
    const wrongBefore = drawn(second).map((uuid) => drawn(first).indexOf(uuid) < 1);
    await finish(second, ...wrongBefore.map((wrong) => (wrong ? 'wrong' : 'right')));
    const { topics, mistakes, weakest } = await progress();
    expect(topics).toMatchObject([{ met: 6, right: 5, enough: true }]);
    expect([mistakes, weakest]).toEqual([1, { topic: 'Helse', language: 'no' }]);
  });

  test('names the topic with the lowest share', async () => {
    await finish(await startOwn({ topic: 'Natur' }), 'wrong', 'wrong', 'wrong', 'right', 'right');
    const { topics, mistakes, weakest } = await progress();
    expect(topics.map(({ topic }) => topic)).toEqual(['Helse', 'Natur']);
    expect([mistakes, weakest?.topic]).toEqual([4, 'Natur']);
  });

  test('a drill of mistakes draws them, and each is gone once it is answered right', async () => {
    const quiz = await startOwn({ topic: 'mistakes', questionCount: 50 });
    expect(quiz).toMatchObject({ topic: 'mistakes', total: 4, language: 'no' });
    await answer(quiz, 0, 'right', own.uid);
    await answer(quiz, 1, 'wrong', own.uid);
    await cancelQuiz(database.pool, own.id, quiz.id);
    expect(await progress()).toMatchObject({ mistakes: 3 });
    const again = await startOwn({ topic: 'mistakes', questionCount: 2 });
    expect(again.total).toBe(2);
    expect(drawn(again)).not.toContain(drawn(quiz)[0]);
    await expect(startOwn({ topic: 'mistakes', language: 'en' })).rejects.toMatchObject({
      code: 'no_mistakes',
    });
  });

  test('tells nothing of answers that were not told yet', async () => {
    const before = await progress();
    const silent = await startOwn({ instantFeedback: false });
    for (const index of silent.questions.keys()) await answer(silent, index, 'wrong', own.uid);
    const test = await startOwn({ topic: 'Praktisk prøve' });
    for (const index of test.questions.keys()) await answer(test, index, 'wrong', own.uid);
    expect(await progress()).toEqual(before);
    await cancelQuiz(database.pool, own.id, silent.id);
    expect(await progress()).toEqual(before);
    await endQuiz(database.pool, own.id, test.id);
    const met = (await progress()).topics.reduce((sum, topic) => sum + topic.met, 0);
    expect(met).toBeGreaterThanOrEqual(38);
  });

  test('leaves out what was taken out of the bank', async () => {
    const quiz = await startOwn({ topic: 'Natur' });
    await finish(quiz, 'wrong', 'wrong', 'wrong', 'wrong', 'wrong');
    const { mistakes } = await progress();
    await database.pool.query('update question set retired_at = now() where uuid = $1', [
      drawn(quiz)[0],
    ]);
    await database.pool.query('update question set validated = false where uuid = $1', [
      drawn(quiz)[1],
    ]);
    const after = await progress();
    expect(after.mistakes).toBe(mistakes - 2);
    expect(after.topics.find(({ topic }) => topic === 'Natur')).toMatchObject({ met: 3 });
  });
});

describe('the clock of a practice test', () => {
  const practise = (wish: Partial<QuizWish> = {}) => start({ topic: 'Praktisk prøve', ...wish });
  const read = (quiz: Session) => readQuiz(database.pool, learner.id, quiz.id);

  /** As if its time had been up for so many seconds; it began an hour before. */
  const putOff = (quiz: Session, seconds: number) =>
    database.pool.query(
      `update quiz set deadline_at = now() - make_interval(secs => $2),
         started_at = now() - make_interval(hours => 1, secs => $2) where id = $1`,
      [quiz.id, seconds],
    );

  test('says how long there is, in seconds, so that nobody needs a right clock', async () => {
    const quiz = await practise();
    expect(quiz.exam).toMatchObject({ minutes: 60 });
    expect(quiz.exam!.seconds_left).toBeGreaterThan(3590);
    expect(quiz.exam!.seconds_left).toBeLessThanOrEqual(3600);
    expect((await start()).exam).toBeNull();
  });

  test('is told of in the list of open quizzes, which untouched drills do not fill', async () => {
    await database.pool.query(
      `update quiz set state = 'cancelled', ended_at = now() where account_id = $1 and state = 'open'`,
      [learner.id],
    );
    const [untimed, timed] = [await practise({ timed: false }), await practise()];
    const answered = await start();
    await answer(answered, 0, 'right');
    const untouched = [];
    for (let drill = 0; drill < 5; drill += 1) untouched.push(await start());
    const open = await listOpenQuizzes(database.pool, learner.id);
    const shown = [answered, timed, untimed, untouched[4], untouched[3]];
    expect(open.map(({ id }) => id)).toEqual(shown.map((quiz) => quiz!.id));
    const [, { seconds_left: left }] = open as [unknown, (typeof open)[number]];
    expect(left).toBeGreaterThan(3590);
    expect(left).toBeLessThanOrEqual(3600);
    expect(open.map(({ seconds_left }) => seconds_left === null)).toEqual([
      true,
      false,
      true,
      true,
      true,
    ]);
  });

  test('can be left out', async () => {
    const quiz = await practise({ timed: false });
    expect(quiz.exam).toMatchObject({ minutes: null, seconds_left: null, deadline_at: null });
    expect(await answer(quiz, 0, 'right')).toEqual({ score: null, correct: null });
    await endQuiz(database.pool, learner.id, quiz.id);
    expect((await read(quiz)).exam).toMatchObject({ passed: false, deadline_at: null });
  });

  test('takes what was on its way when the time was up, and nothing after that', async () => {
    const quiz = await practise();
    await answer(quiz, 0, 'right');
    await putOff(quiz, GRACE_SECONDS - 5);
    expect(await answer(quiz, 1, 'right')).toEqual({ score: null, correct: null });
    expect(await read(quiz)).toMatchObject({ state: 'open', exam: { seconds_left: 0 } });
    await expect(cancelQuiz(database.pool, learner.id, quiz.id)).rejects.toMatchObject({
      code: 'quiz_closed',
    });
    await putOff(quiz, GRACE_SECONDS + 1);
    await expect(answer(quiz, 2, 'right')).rejects.toMatchObject({ code: 'quiz_closed' });
    const ended = await read(quiz);
    expect(ended.state).toBe('ended');
    expect(ended.ended_at).toBe(ended.exam!.deadline_at);
    expect(await events(quiz, 'answer.submitted')).toHaveLength(2);
  });

  test.each([
    ['read', (quiz: Session) => read(quiz)],
    ['answer', (quiz: Session) => answer(quiz, 0, 'right').catch(() => {})],
    ['hand in', (quiz: Session) => endQuiz(database.pool, learner.id, quiz.id)],
    ['leave', (quiz: Session) => cancelQuiz(database.pool, learner.id, quiz.id).catch(() => {})],
    ['mark', (quiz: Session) => mark(quiz, 0, true).catch(() => {})],
    ['list open ones', () => listOpenQuizzes(database.pool, learner.id)],
    ['history', () => listHistory(database.pool, learner.id)],
    ['schedule', () => withTransaction(database.pool, (tx) => handInOverdue(tx, 100))],
  ])('hands in what is overdue at: %s', async (_name, meet) => {
    const quiz = await practise();
    await answer(quiz, 0, 'right');
    await putOff(quiz, 100);
    await meet(quiz);
    const { rows } = await database.pool.query(
      'select state, ended_at = deadline_at as on_time from quiz where id = $1',
      [quiz.id],
    );
    expect(rows).toEqual([{ state: 'ended', on_time: true }]);
    expect(await events(quiz, 'quiz.ended')).toHaveLength(1);
  });

  test('whoever hands in at once: one result, every answer told of once', async () => {
    const quizzes = await Promise.all(Array.from({ length: 5 }, () => practise()));
    for (const quiz of quizzes) {
      for (const index of [0, 1, 2]) await answer(quiz, index, 'right');
      await putOff(quiz, 100);
    }
    await Promise.all([
      ...quizzes.flatMap((quiz) => [
        endQuiz(database.pool, learner.id, quiz.id),
        read(quiz),
        listHistory(database.pool, learner.id),
      ]),
      withTransaction(database.pool, (tx) => handInOverdue(tx, 100)),
      withTransaction(database.pool, (tx) => handInOverdue(tx, 100)),
    ]);
    for (const quiz of quizzes) {
      const { state, score, answers } = await read(quiz);
      const counted = Object.values(answers).filter(
        (given) => given.correct && 'counted' in given && given.counted,
      );
      expect({ state, score }).toEqual({ state: 'ended', score: counted.length });
      expect(await events(quiz, 'quiz.ended')).toHaveLength(1);
      expect(await events(quiz, 'answer.submitted')).toHaveLength(3);
    }
  });

  test('the schedule hands in the oldest first, so many at a time', async () => {
    const [young, old] = [await practise(), await practise()];
    await putOff(young, 100);
    await putOff(old, 200);
    const one = () => withTransaction(database.pool, (tx) => handInOverdue(tx, 1));
    expect(await one()).toBe(1);
    expect(await events(old, 'quiz.ended')).toHaveLength(1);
    expect(await one()).toBe(1);
    expect(await events(young, 'quiz.ended')).toHaveLength(1);
    expect(await one()).toBe(0);
  });
});

const mark = (quiz: Session, index: number, marked: boolean, accountId = learner.id) =>
  markQuestion(database.pool, accountId, {
    quizId: quiz.id,
    questionUuid: quiz.questions[index]!.uuid,
    marked,
  });

describe('marking a question to come back to it', () => {
  const practise = () => start({ topic: 'Praktisk prøve' });
  const marks = async (quiz: Session) => {
    const { questions } = await readQuiz(database.pool, learner.id, quiz.id);
    return questions.flatMap(({ marked }, index) => (marked ? [index] : []));
  };

  test('is kept, until it is taken back', async () => {
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
    await endQuiz(database.pool, learner.id, quiz.id);
    expect(await marks(quiz)).toEqual([second]);
    expect(await marks(other)).toEqual([]);
  });

  test('is refused where nothing can be come back to', async () => {
    const quiz = await practise();
    const other = await createLearner(database.pool);
    const given = { quizId: quiz.id, questionUuid: crypto.randomUUID(), marked: true };
    const foreign = mark(quiz, 0, true, other.id);
    await expect(foreign).rejects.toMatchObject({ code: 'quiz_not_found' });
    await expect(markQuestion(database.pool, learner.id, given)).rejects.toMatchObject({
      code: 'question_not_in_quiz',
    });
    await endQuiz(database.pool, learner.id, quiz.id);
    await expect(mark(quiz, 0, true)).rejects.toMatchObject({ code: 'quiz_closed' });
    const drill = mark(await start(), 0, true);
    await expect(drill).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await marks(quiz)).toEqual([]);
  });
});
