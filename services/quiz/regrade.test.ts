import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countEvents, regradeAll } from '@proveklar/tests/support/count-events.ts';
import { emptyTables, useTestDatabase } from '@proveklar/tests/support/database.ts';
import { createLearner, createQuestions } from '@proveklar/tests/support/factories.ts';
import { notifiedTopics } from '@proveklar/tests/support/notified-topics.ts';
import { startQuizOf } from '@proveklar/tests/support/quizzes.ts';
import { recount } from '@proveklar/tests/support/recount.ts';
import { withTransaction } from '#database/pool.ts';
import { completeRegrade, correctKey, regradeQuestion } from './regrade.ts';
import { answerQuestion } from './answer-question.ts';
import { endQuiz } from './end-quiz.ts';
import type { QuizRequest } from './start-quiz.ts';

const database = useTestDatabase();
const actor = 'admin@example.no';
let learner: Awaited<ReturnType<typeof createLearner>>;

beforeAll(async () => {
  learner = await createLearner(database.pool);
  await createQuestions(database.pool, { topic: 'Historie', count: 40 });
});
// Each test starts with the questions as they were imported.
beforeEach(async () => {
  await emptyTables(database.pool, 'quiz', 'outbox', 'question_statistics', 'regrade');
  await database.pool.query('truncate item_statistics, question_quality, question_version');
  await database.pool.query(
    `update question set version = 1, answer = 'right ' || substring(question from '[0-9]+'),
       incorrect = array['wrong a ' || substring(question from '[0-9]+'),
         'wrong b ' || substring(question from '[0-9]+'),
         'wrong c ' || substring(question from '[0-9]+')],
       incorrect_reasons = null`,
  );
});

const start = (request: Partial<QuizRequest> = {}) =>
  startQuizOf(database.pool, learner.id, request);
type Session = Awaited<ReturnType<typeof start>>;
type Question = Session['questions'][number];

/** Answers with the option that starts with `which`, otherwise with the first option. */
const answer = (quiz: Session, question: Question, which: string) =>
  answerQuestion(database.pool, {
    uid: learner.uid,
    signedInAt: Date.now(),
    quizId: quiz.id,
    questionUuid: question.uuid,
    answer: question.options.find((option) => option.startsWith(which)) ?? question.options[0]!,
  });
const end = (quiz: Session) => endQuiz(database.pool, learner.id, quiz.id);

/** Answers the questions of a quiz with these options in turn. */
async function answerAll(quiz: Session, ...which: string[]): Promise<void> {
  for (const [index, question] of quiz.questions.entries()) {
    await answer(quiz, question, which[index % which.length]!);
  }
}

/** Makes the option that starts with `which` the key. */
async function correct(question: Question, which: string) {
  const { rows } = await database.pool.query(
    `select version, option from question, unnest(incorrect) as option
     where id = $1 and option like $2 || '%'`,
    [question.id, which],
  );
  const { version, option } = rows[0];
  return correctKey(database.pool, { question: question.id, version, answer: option, actor });
}

const scoreOf = async (quiz: Session) => {
  const { rows } = await database.pool.query(
    'select score, regraded_at is not null as regraded from quiz where id = $1',
    [quiz.id],
  );
  return rows[0];
};
const statistics = async (question: Question) => {
  const { rows } = await database.pool.query(
    'select times_correct, times_incorrect from question_statistics where question_id = $1',
    [question.id],
  );
  return rows[0];
};

async function expectRecounted(): Promise<void> {
  const { kept, counted } = await recount(database.pool);
  expect(counted.length).toBeGreaterThan(0);
  expect(kept).toEqual(counted);
}

describe('correcting a key', () => {
  test('swaps key and distractor in place and stores the old version', async () => {
    const [question] = (await start()).questions;
    const corrected = await correct(question!, 'wrong b');
    const number = /\d+/.exec(corrected.answer)![0];
    expect(corrected).toMatchObject({
      version: 2,
      answer: `wrong b ${number}`,
      incorrect: [`wrong a ${number}`, `right ${number}`, `wrong c ${number}`],
      quizzes: 1,
    });
    const { rows } = await database.pool.query(
      'select version, answer, corrected, corrected_answer, replaced_by from question_version',
    );
    expect(rows).toEqual([
      {
        version: 1,
        answer: `right ${number}`,
        corrected: true,
        corrected_answer: `wrong b ${number}`,
        replaced_by: actor,
      },
    ]);
    const { rows: log } = await database.pool.query('select action, subject from audit_entry');
    expect(log).toContainEqual({ action: 'question.key_corrected', subject: String(question!.id) });
  });

  test('keeps the reasons of the other wrong options, and all of them with the old version', async () => {
    const [question] = (await start()).questions;
    const reasons = ['because a', 'because b', 'because c'];
    const stored = async () => {
      const { rows } = await database.pool.query<{ incorrect_reasons: string[] | null }>(
        `select incorrect_reasons from question where id = $1
         union all
         select incorrect_reasons from question_version where question_id = $1`,
        [question!.id],
      );
      return rows.map((row) => row.incorrect_reasons);
    };
    const set = (given: (string | null)[]) =>
      database.pool.query(
        'update question set source_title = $3, incorrect_reasons = $2 where id = $1',
        [question!.id, given, 'a source'],
      );
    await set(reasons);
    await correct(question!, 'wrong b');
    expect(await stored()).toEqual([['because a', null, 'because c'], reasons]);
    await set(['because a', null, null]);
    await correct(question!, 'wrong a');
    // Without any reason there is no list.
    expect((await stored())[0]).toBeNull();
    const { rows } = await database.pool.query(
      'select source_title from question_version where question_id = $1',
      [question!.id],
    );
    expect(rows).toEqual([{ source_title: 'a source' }, { source_title: 'a source' }]);
  });

  test('refuses an outdated version, the key itself, an unknown option and an unknown question', async () => {
    const [question] = (await start()).questions;
    const call = (version: number, given: string) =>
      correctKey(database.pool, { question: question!.id, version, answer: given, actor });
    const right = question!.options.find((option) => option.startsWith('right'))!;
    const wrong = question!.options.find((option) => option.startsWith('wrong'))!;
    await expect(call(2, wrong)).rejects.toMatchObject({ code: 'question_changed' });
    await expect(call(1, right)).rejects.toMatchObject({ code: 'answer_not_an_option' });
    await expect(call(1, 'Bergen')).rejects.toMatchObject({ code: 'answer_not_an_option' });
    await expect(
      correctKey(database.pool, { question: 999_999, version: 1, answer: wrong, actor }),
    ).rejects.toMatchObject({ code: 'question_not_found' });
  });

  test('regrades scores and statistics of the quizzes that showed the question', async () => {
    const quiz = await start();
    await answerAll(quiz, 'wrong b', 'right');
    await end(quiz);
    await countEvents(database.pool);
    expect(await scoreOf(quiz)).toEqual({ score: 5, regraded: false });
    await correct(quiz.questions[0]!, 'wrong b');
    await correct(quiz.questions[1]!, 'wrong b');
    await correct(quiz.questions[2]!, 'wrong b');
    await regradeAll(database.pool);
    expect(await scoreOf(quiz)).toEqual({ score: 6, regraded: true });
    expect(await statistics(quiz.questions[0]!)).toEqual({ times_correct: 1, times_incorrect: 0 });
    expect(await statistics(quiz.questions[1]!)).toEqual({ times_correct: 0, times_incorrect: 1 });
    await expectRecounted();
  });

  test('emits one result.regraded for each learner and correction', async () => {
    const other = await createLearner(database.pool);
    const quizzes = [await start({ questionCount: 50 }), await start({ questionCount: 50 })];
    for (const quiz of quizzes) {
      await answerAll(quiz, 'wrong b');
      await end(quiz);
    }
    const [question] = quizzes[0]!.questions;
    const { regrade_id } = await correct(question!, 'wrong b');
    await regradeAll(database.pool);
    const { rows } = await database.pool.query(
      "select payload from outbox where name = 'result.regraded'",
    );
    expect(rows).toEqual([{ payload: { regrade_id, account_id: learner.id } }]);
    expect(rows[0].payload.account_id).not.toBe(other.id);
  });

  test('counts every answer as right in a practice test that did not show the right option', async () => {
    const quiz = await start({ topic: 'Praktisk prøve' });
    await answerAll(quiz, 'wrong a', 'right');
    const { score } = await end(quiz);
    await countEvents(database.pool);
    const { rows } = await database.pool.query(
      `select question_id as id from quiz_question
       where quiz_id = $1 and counted order by position`,
      [quiz.id],
    );
    const counted = quiz.questions.filter(({ id }) => rows.some((row) => row.id === id));
    const isWrong = (question: Question) => quiz.questions.indexOf(question) % 2 === 0;
    const wrong = counted.find(isWrong);
    const right = counted.find((question) => !isWrong(question));
    for (const question of [wrong!, right!]) await correct(question, 'wrong c');
    await regradeAll(database.pool);
    expect(await scoreOf(quiz)).toEqual({ score: score + 1, regraded: true });
    await expectRecounted();
  });

  test('restores score and statistics when the correction is undone', async () => {
    const quiz = await start();
    await answerAll(quiz, 'right', 'wrong a', 'right');
    await end(quiz);
    await countEvents(database.pool);
    const { kept: before } = await recount(database.pool);
    const { score } = await scoreOf(quiz);
    await correct(quiz.questions[0]!, 'wrong a');
    await regradeAll(database.pool);
    expect((await scoreOf(quiz)).score).toBe(score - 1);
    await correct(quiz.questions[0]!, 'right');
    await regradeAll(database.pool);
    expect((await scoreOf(quiz)).score).toBe(score);
    expect((await recount(database.pool)).kept).toEqual(before);
    await expectRecounted();
  });

  test('grades by the last of two corrections made before the regrade', async () => {
    const quiz = await start();
    await answerAll(quiz, 'wrong c');
    await end(quiz);
    await correct(quiz.questions[0]!, 'wrong a');
    await correct(quiz.questions[0]!, 'wrong c');
    await regradeAll(database.pool);
    await countEvents(database.pool);
    expect((await scoreOf(quiz)).score).toBe(1);
    await expectRecounted();
  });

  test('does not touch quizzes that showed other options', async () => {
    const quiz = await start();
    await answerAll(quiz, 'right');
    await end(quiz);
    const [question] = quiz.questions;
    await database.pool.query(
      `insert into question_version (question_id, version, language, topic, question, answer,
                                     incorrect, replaced_by)
       select id, version, language, topic, question, answer, incorrect, 'admin@example.no'
       from question where id = $1`,
      [question!.id],
    );
    await database.pool.query(
      `update question set version = 2, incorrect = array['wrong x', 'wrong y'] where id = $1`,
      [question!.id],
    );
    const { quizzes } = await correct(question!, 'wrong x');
    await regradeAll(database.pool);
    await countEvents(database.pool);
    expect(quizzes).toBe(0);
    expect(await scoreOf(quiz)).toEqual({ score: 10, regraded: false });
    await expectRecounted();
  });
});

describe('a correction in the middle of a quiz', () => {
  test('regrades earlier answers and grades later ones by the new key', async () => {
    const quiz = await start();
    const test = await start({ topic: 'Praktisk prøve' });
    const [first] = quiz.questions;
    await answer(quiz, first!, 'wrong a');
    await answerAll(test, 'wrong a');
    await correct(first!, 'wrong a');
    await regradeAll(database.pool);
    for (const question of quiz.questions.slice(1, 6)) await answer(quiz, question, 'right');
    await correct(quiz.questions[5]!, 'wrong b');
    await regradeAll(database.pool);
    const { score } = await end(quiz);
    await end(test);
    await countEvents(database.pool);
    expect(score).toBe(5);
    await expectRecounted();
  });

  test('regrades an answer that was graded by the old key and stored after the regrade', async () => {
    const quiz = await start();
    const [question] = quiz.questions;
    await correct(question!, 'wrong a');
    await regradeAll(database.pool);
    // An answer that was graded by the old key.
    await database.pool.query(
      `with late as (
         insert into quiz_answer (quiz_id, question_id, answer, correct)
         select $1, $2, answer, true from question_version where question_id = $2)
       insert into outbox (name, payload) select 'answer.submitted', jsonb_build_object(
         'quiz_id', $1::uuid, 'question_id', $2::bigint, 'correct', true)`,
      [quiz.id, question!.id],
    );
    for (const other of quiz.questions.slice(1)) await answer(quiz, other, 'right');
    expect((await end(quiz)).score).toBe(9);
    await countEvents(database.pool);
    expect(await statistics(question!)).toEqual({ times_correct: 0, times_incorrect: 1 });
    await expectRecounted();
  });
});

test('statistics and scores match the answers after concurrent answers, corrections and counts', async () => {
  // Every quiz has all questions, so that every correction affects every quiz.
  const sessions = await Promise.all(Array.from({ length: 6 }, () => start({ questionCount: 40 })));
  const corrections = sessions[0]!.questions.slice(0, 4);
  const learn = async (quiz: Session, index: number) => {
    for (const [at, question] of quiz.questions.entries()) {
      await answer(quiz, question, ['right', 'wrong a', 'wrong b'][(at + index) % 3]!);
    }
    if (index !== 0) await end(quiz);
  };
  const curate = async () => {
    for (const which of ['wrong a', 'wrong b', 'right']) {
      for (const question of corrections) await correct(question, which);
      await regradeAll(database.pool);
    }
  };
  const count = async () => {
    for (let round = 0; round < 12; round += 1) await countEvents(database.pool);
  };
  await Promise.all([...sessions.map(learn), curate(), count()]);
  await countEvents(database.pool);
  await expectRecounted();
  for (const quiz of sessions.slice(1)) {
    const { rows } = await database.pool.query(
      'select count(*)::int as score from quiz_answer where quiz_id = $1 and correct',
      [quiz.id],
    );
    expect((await scoreOf(quiz)).score).toBe(rows[0].score);
  }
});

test('a corrected key makes the screens of other administrators read the question again', async () => {
  const { questions } = await start();
  const topics = await notifiedTopics(database.url, () => correct(questions[0]!, 'wrong a'));
  expect(topics).toEqual(['questions']);
});

test('a regrade that its worker stops keeps the batch, and is completed by the next worker', async () => {
  const quiz = await start({ questionCount: 40 });
  const [question] = quiz.questions;
  await answer(quiz, question!, 'wrong a');
  await end(quiz);
  const { regrade_id: id } = await correct(question!, 'wrong a');
  const reason = new Error('the process stops');
  const stopped = regradeQuestion(database.pool, id, AbortSignal.abort(reason));
  await expect(stopped).rejects.toBe(reason);
  const regrade = async () =>
    (await database.pool.query('select quizzes, completed_at from regrade')).rows;
  expect(await regrade()).toEqual([{ quizzes: 1, completed_at: null }]);
  await regradeQuestion(database.pool, id);
  await withTransaction(database.pool, (tx) => completeRegrade(tx, id));
  expect(await regrade()).toEqual([{ quizzes: 1, completed_at: expect.any(Date) }]);
});

test('three concurrent workers do each batch of a regrade once', async () => {
  const quizzes = [];
  for (let made = 0; made < 5; made += 1) quizzes.push(await start({ questionCount: 40 }));
  const [question] = quizzes[0]!.questions;
  for (const quiz of quizzes) {
    await answer(quiz, question!, 'wrong a');
    await end(quiz);
  }
  const { regrade_id: id } = await correct(question!, 'wrong a');
  const work = async () => {
    await regradeQuestion(database.pool, id);
    await withTransaction(database.pool, (tx) => completeRegrade(tx, id));
  };
  await Promise.all([work(), work(), work()]);
  const { rows } = await database.pool.query('select quizzes, completed_at from regrade');
  expect(rows).toEqual([{ quizzes: 5, completed_at: expect.any(Date) }]);
  const { rows: emitted } = await database.pool.query(
    "select count(*)::int from outbox where name = 'result.regraded'",
  );
  expect(emitted).toEqual([{ count: 1 }]);
});
