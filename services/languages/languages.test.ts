import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAdministrator, createQuestions } from '@proveklar/tests/support/factories.ts';
import { withQuizzes } from '@proveklar/tests/support/quizzes.ts';
import { answerSample, readSample } from '#sample/sample.ts';
import { bankFilters } from '#questions/question-filter.ts';
import { drawQuestions } from '#questions/draw-questions.ts';
import { listTopics } from '#questions/topics.ts';
import { drawMistakes } from '#quiz/start-quiz.ts';
import { endQuiz } from '#quiz/end-quiz.ts';
import { readProgress } from '#quiz/read-progress.ts';
import { readQuiz } from '#quiz/read-quiz.ts';
import { readTranslation } from '#quiz/read-translation.ts';
import { LANGUAGE_CODE } from '@proveklar/contract/language.ts';
import { listLanguages, listOffered, offerLanguage } from './languages.ts';

const ground = withQuizzes();
const { database, start, answer } = ground;

/** Everything that shows a learner a new question in a language. */
async function reachable(language: string, quiz: Awaited<ReturnType<typeof start>>) {
  const { pool } = database;
  const ownId = ground.learner.id;
  const draw = (topic: string | null) => drawQuestions(pool, { language, topic, count: 5 });
  const { topics, mistakes, weakest } = await readProgress(pool, ownId);
  const [shown] = (await readQuiz(pool, ownId, quiz.id)).questions;
  const request = { quizId: quiz.id, questionUuid: shown!.uuid, language };
  return {
    topics: await listTopics(pool, language),
    topicDraw: (await draw('Historie')).length,
    drawOfAll: (await draw(null)).length,
    mistakesDrawn: (await drawMistakes(pool, ownId, { language, count: 5 })).length,
    sample: (await readSample(pool, language)).filter((one) => one.language === language).length,
    practised: topics.some((topic) => topic.language === language),
    mistakes,
    weakest: weakest?.language,
    translations: shown!.translations,
    translation: await readTranslation(pool, ownId, request).then(
      (translation) => translation.language,
      (error: { code: string }) => error.code,
    ),
    start: await start({ topic: 'Historie', language }).then(
      (begun) => begun.language,
      (error: { code: string }) => error.code,
    ),
  };
}

describe('a language that learners are not offered', () => {
  let norwegian: Awaited<ReturnType<typeof start>>;
  const offer = (offered: boolean) => offerLanguage(database.pool, 'test', { code: 'pl', offered });

  beforeAll(async () => {
    await createQuestions(database.pool, { language: 'pl' });
    await database.pool.query(
      `update question set translation_group = substring(question from '\\d+')
       where topic = 'Historie'`,
    );
    await database.pool.query(`update question set tags = array['smakebit'] where language = 'pl'`);
    await offer(true);
    const polish = await start({ topic: 'Historie', language: 'pl' });
    for (const index of polish.questions.keys()) await answer(polish, index, 'wrong');
    norwegian = await start({ topic: 'Historie' });
    await answer(norwegian, 0, 'right');
  });

  test('disappears from draws, topics, sample, progress and translations once it is withdrawn', async () => {
    expect(await reachable('pl', norwegian)).toEqual({
      topics: ['Historie'],
      topicDraw: 5,
      drawOfAll: 5,
      mistakesDrawn: 5,
      sample: 10,
      practised: true,
      mistakes: 10,
      weakest: 'pl',
      translations: ['pl'],
      translation: 'pl',
      start: 'pl',
    });
    await offer(false);
    expect(await reachable('pl', norwegian)).toEqual({
      topics: [],
      topicDraw: 0,
      drawOfAll: 0,
      mistakesDrawn: 0,
      sample: 0,
      practised: false,
      mistakes: 0,
      weakest: undefined,
      translations: [],
      translation: 'translation_not_found',
      start: 'language_not_offered',
    });
  });

  test('stays available in a quiz that was started in it, which can be read afterwards', async () => {
    await offer(true);
    const quiz = await start({ topic: 'Historie', language: 'pl' });
    await offer(false);
    await answer(quiz, 0, 'right');
    expect(await endQuiz(database.pool, ground.learner.id, quiz.id)).toMatchObject({ score: 1 });
    const read = await readQuiz(database.pool, ground.learner.id, quiz.id);
    expect(read).toMatchObject({ language: 'pl', state: 'ended' });
  });

  test('is replaced by Norwegian in the sample, which accepts only its own questions', async () => {
    const sample = await readSample(database.pool, 'pl');
    expect(new Set(sample.map(({ language }) => language))).toEqual(new Set(['no']));
    const { rows } = await database.pool.query(
      `select uuid, answer from question where language = 'pl' limit 1`,
    );
    const answered = { questionUuid: rows[0].uuid as string, answer: rows[0].answer as string };
    expect(() => answerSample(sample, answered)).toThrow('not part of the quiz');
  });

  test('is listed in the filters of the bank', async () => {
    expect(await bankFilters(database.pool)).toMatchObject({
      languages: ['no', 'pl'],
      languages_not_offered: ['pl'],
    });
  });
});

describe('the languages', () => {
  beforeEach(async () => {
    await database.pool.query(`delete from language where code = 'hy'`);
    await database.pool.query(`update language set offered = code in ('no', 'en')`);
  });
  const all = () => listLanguages(database.pool);
  const one = async (code: string) => (await all()).find((language) => language.code === code);

  test('are initially Norwegian and English, and about thirty known ones that are not offered', async () => {
    expect(await listOffered(database.pool)).toEqual([
      { code: 'no', name: 'Norsk', direction: 'ltr', fallback: null },
      { code: 'en', name: 'English', direction: 'ltr', fallback: null },
    ]);
    const languages = await all();
    expect(languages.length).toBeGreaterThan(30);
    for (const { code } of languages) expect(code).toMatch(new RegExp(LANGUAGE_CODE));
    const rightToLeft = languages.filter(({ direction }) => direction === 'rtl');
    expect(rightToLeft.map(({ code }) => code).toSorted()).toEqual(
      ['ar', 'ckb', 'fa', 'prs', 'ps', 'ur'].toSorted(),
    );
  });

  test('include one that only questions use, with name and direction from its code', async () => {
    await createQuestions(database.pool, { language: 'hy', count: 2 });
    await createQuestions(database.pool, { language: 'az-Arab', count: 1 });
    expect(await one('az-Arab')).toMatchObject({ direction: 'rtl', offered: false, validated: 1 });
    const armenian = { code: 'hy', name: 'Հայերեն', direction: 'ltr', validated: 2 };
    expect(await one('hy')).toMatchObject({ ...armenian, offered: false, updated_at: null });
    const actor = await createAdministrator(database.pool);
    const offered = await offerLanguage(database.pool, actor, { code: 'hy', offered: true });
    expect(offered.find(({ code }) => code === 'hy')).toMatchObject({
      ...armenian,
      offered: true,
      updated_by: actor.email,
    });
    expect(await listOffered(database.pool)).toContainEqual({
      code: 'hy',
      name: 'Հայերեն',
      direction: 'ltr',
      fallback: null,
    });
  });

  test('are written to the audit log once when they change', async () => {
    for (const offered of [true, true, false, false]) {
      await offerLanguage(database.pool, 'test', { code: 'uk', offered });
    }
    const { rows } = await database.pool.query(
      `select action, actor from audit_entry where subject = 'uk' order by id`,
    );
    expect(rows).toEqual([
      { action: 'language.offered', actor: 'test' },
      { action: 'language.withdrawn', actor: 'test' },
    ]);
  });

  test('always include Norwegian, the default language of a quiz', async () => {
    const withdrawn = offerLanguage(database.pool, 'test', { code: 'no', offered: false });
    await expect(withdrawn).rejects.toMatchObject({ code: 'language_required' });
    await expect(
      database.pool.query(`update language set offered = false where code = 'no'`),
    ).rejects.toMatchObject({ code: '23514' });
  });
});
