import { beforeAll, describe, expect, test } from 'vitest';
import { countEvents } from '@proveklar/tests/support/count-events.ts';
import { createLearner, createQuestions } from '@proveklar/tests/support/factories.ts';
import { cancelQuiz, endQuiz } from './end-quiz.ts';
import { MIN_QUESTIONS, readProgress, readTopicNames } from './read-progress.ts';
import type { QuizRequest } from './start-quiz.ts';
import { startQuizOf, withQuizzes, type Session } from '@proveklar/tests/support/quizzes.ts';

const fixture = withQuizzes();
const { database, answer } = fixture;

describe('progress', () => {
  let own: typeof fixture.learner;
  beforeAll(async () => {
    own = await createLearner(database.pool);
    await database.pool.query('update learning_rebuild set completed_at = now()');
    await createQuestions(database.pool, { topic: 'Helse', count: 6 });
    await createQuestions(database.pool, { topic: 'Natur', count: MIN_QUESTIONS });
  });

  const startOwn = (request: Partial<QuizRequest>) =>
    startQuizOf(database.pool, own.id, { topic: 'Helse', questionCount: 6, ...request });
  const progress = () => readProgress(database.pool, own.id);
  const finish = async (quiz: Session, ...which: ('right' | 'wrong')[]) => {
    for (const [index, how] of which.entries()) await answer(quiz, index, how, own.uid);
    await endQuiz(database.pool, own.id, quiz.id);
  };
  const drawn = (quiz: Session) => quiz.questions.map((question) => question.uuid);

  test('is empty before the first answer', async () => {
    expect(await progress()).toEqual({ topics: [], mistakes: 0, weakest: null });
    await expect(startOwn({ topic: 'mistakes' })).rejects.toMatchObject({ code: 'no_mistakes' });
  });

  test('counts each question by its latest answer, and leaves out unanswered questions', async () => {
    const first = await startOwn({});
    await finish(first, 'wrong', 'wrong', 'right', 'right');
    expect(await progress()).toMatchObject({
      topics: [
        {
          topic: 'Helse',
          names: { no: 'Helse', en: null },
          language: 'no',
          met: 4,
          right: 2,
          enough: false,
        },
      ],
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

  test('returns the topic with the lowest share of right answers as weakest', async () => {
    await finish(await startOwn({ topic: 'Natur' }), 'wrong', 'wrong', 'wrong', 'right', 'right');
    const { topics, mistakes, weakest } = await progress();
    expect(topics.map(({ topic }) => topic)).toEqual(['Helse', 'Natur']);
    expect([mistakes, weakest?.topic]).toEqual([4, 'Natur']);
  });

  test('a drill of mistakes draws a question until it is answered right', async () => {
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

  test('a drill of mistakes can keep to a topic', async () => {
    const quiz = await startOwn({ topic: 'mistakes', mistakesOf: 'Natur', questionCount: 50 });
    expect(new Set(quiz.questions.map(({ topic }) => topic))).toEqual(new Set(['Natur']));
    await expect(startOwn({ topic: 'mistakes', mistakesOf: 'Kunst' })).rejects.toMatchObject({
      code: 'no_mistakes',
    });
  });

  test('a drill of mistakes has two that exclude each other only where no others are left', async () => {
    const startMistakes = (questionCount: number) => startOwn({ topic: 'mistakes', questionCount });
    const all = await startMistakes(50);
    expect(all.total).toBe(3);
    const [one, other] = all.questions.map(({ id }) => id);
    await database.pool.query(
      `update question set translation_group = 'group-' || id,
         excludes = case when id = $1 then array['group-' || $2::bigint] else '{}' end
       where id in ($1, $2)`,
      [one, other],
    );
    for (let n = 0; n < 20; n += 1) {
      const ids = new Set((await startMistakes(2)).questions.map(({ id }) => id));
      expect(ids.has(one!) && ids.has(other!)).toBe(false);
    }
    expect((await startMistakes(3)).total).toBe(3);
  });

  test('leaves out answers whose result was not revealed yet', async () => {
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

  test('is the same before and after the workers have applied the answers, and days later', async () => {
    const before = await progress();
    await countEvents(database.pool);
    expect(await progress()).toEqual(before);
    await database.pool.query(`update quiz set started_at = started_at - interval '2 days'`);
    expect(await progress()).toEqual(before);
    await finish(await startOwn({ topic: 'Natur' }), 'right', 'right', 'right', 'right', 'right');
    const after = await progress();
    expect(after.topics.find(({ topic }) => topic === 'Natur')).toMatchObject({ met: 5, right: 5 });
    await countEvents(database.pool);
    expect(await progress()).toEqual(after);
  });

  test('has answers from before the upgrade also before the first pass over all accounts', async () => {
    await countEvents(database.pool);
    await database.pool.query(`update quiz set started_at = started_at - interval '2 days'`);
    const before = await progress();
    await database.pool.query('delete from learner_question');
    expect((await progress()).topics).toEqual([]);
    await database.pool.query('update learning_rebuild set completed_at = null');
    expect(await progress()).toEqual(before);
    await database.pool.query('update learning_rebuild set completed_at = now()');
  });

  test('leaves out questions that are retired or no longer validated', async () => {
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

describe('the names of topics', () => {
  /** Questions of a topic, each in both languages under one group. */
  const pair = (topic: string, english: string, count: number, validated = true) =>
    database.pool.query(
      `insert into question (language, topic, question, answer, incorrect, translation_group, validated)
       select language, topic, concat_ws(' ', $1::text, $2::text, language, n), 'a', '{b}',
         concat_ws('-', $1::text, $2::text, n), $4 or language = 'no'
       from generate_series(1, $3::int) n, (values ('no', $1), ('en', $2)) as named (language, topic)`,
      [topic, english, count, validated],
    );
  const namesOf = (...topics: [language: string, topic: string][]) =>
    readTopicNames(
      database.pool,
      topics.map(([language, topic]) => ({ language, topic })),
    );

  test('are the topics of most of their translated questions, in both languages', async () => {
    await pair('Samfunn', 'Society', 4);
    await pair('Samfunn', 'Elsewhere', 2);
    expect(await namesOf(['no', 'Samfunn'], ['en', 'Society'])).toEqual([
      { no: 'Samfunn', en: 'Society' },
      { no: 'Samfunn', en: 'Society' },
    ]);
  });

  test('are null where the translations are ambiguous, not validated or missing', async () => {
    await pair('Delt', 'One half', 3);
    await pair('Delt', 'Other half', 3);
    await pair('Uvalidert', 'Not validated', 3, false);
    expect(await namesOf(['no', 'Delt'], ['no', 'Uvalidert'], ['no', 'Utdanning'])).toEqual([
      { no: 'Delt', en: null },
      { no: 'Uvalidert', en: null },
      { no: 'Utdanning', en: null },
    ]);
  });

  test('need three translated questions, or all questions of a topic that has fewer', async () => {
    const alone = (topic: string, count: number) =>
      createQuestions(database.pool, { topic, count });
    await pair('Jus', 'Law', 2);
    await alone('Jus', 8);
    await pair('Dyr', 'Animals', 3);
    await alone('Dyr', 7);
    await pair('Ord', 'Words', 2);
    await pair('Tall', 'Numbers', 1);
    await alone('Tall', 1);
    const named = await namesOf(['no', 'Jus'], ['no', 'Dyr'], ['no', 'Ord'], ['no', 'Tall']);
    expect(named.map(({ en }) => en)).toEqual([null, 'Animals', 'Words', null]);
  });

  test('are null where two topics would share a name', async () => {
    await pair('Kunst', 'Culture', 3);
    await pair('Musikk', 'Culture', 3);
    expect(await namesOf(['no', 'Kunst'], ['no', 'Musikk'])).toEqual([
      { no: 'Kunst', en: null },
      { no: 'Musikk', en: null },
    ]);
    expect(await namesOf(['no', 'Kunst'], ['en', 'Culture'])).toEqual([
      { no: 'Kunst', en: 'Culture' },
      { no: null, en: 'Culture' },
    ]);
  });
});
