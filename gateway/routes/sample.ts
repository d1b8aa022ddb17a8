import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import {
  AnswerRequest,
  AnswerResponse,
  type QuizQuestion,
  SampleParams,
  SampleQuery,
  SampleResponse,
  Translation,
  TranslationQuery,
} from '@proveklar/contract/quiz.ts';
import { toAskedQuestion } from '@proveklar/services/questions/asked-question.ts';
import { optionsOf } from '@proveklar/services/questions/option-order.ts';
import type { Queryable } from '@proveklar/services/database/pool.ts';
import { countOpenings } from '@proveklar/services/sample/count-openings.ts';
import {
  answerSample,
  countBank,
  readSample,
  readSampleTranslation,
  type SampleQuestion,
} from '@proveklar/services/sample/sample.ts';
import * as docs from '#openapi/examples/quiz.ts';
import { cached } from '#pages/cached.ts';

/** The route is public: the database is read once in this time, whatever the number of calls. */
const CACHE_MS = 5_000;

/**
 * The questions of the sample, as a visitor gets them; without those with a picture, for which the page has no
 * room. And how many questions there are to practise.
 */
export async function readQuestionsToTry(db: Queryable, language: AppLanguage) {
  const { sample, bankQuestions } = await readWithCount(db, language);
  return { sample: sample.filter(({ image }) => image === null).map(withoutKey), bankQuestions };
}

/** The sample of a language, and the count of its own language, which may be Norwegian instead. */
async function readWithCount(db: Queryable, language: AppLanguage) {
  const sample = await readSample(db, language);
  const [first] = sample;
  return { sample, bankQuestions: first ? await countBank(db, first.language) : 0 };
}

const withoutKey = (question: SampleQuestion): QuizQuestion =>
  toAskedQuestion(question, optionsOf(question));

/** The free sample: questions to try without an account. */
export const sampleRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;
  const samples = {
    no: cached(CACHE_MS, () => readWithCount(db, 'no')),
    en: cached(CACHE_MS, () => readWithCount(db, 'en')),
  };
  const inBoth = async () =>
    (await Promise.all([samples.no(), samples.en()])).flatMap(({ sample }) => sample);

  const openings = countOpenings(db, (error) =>
    app.log.warn({ err: error }, 'openings not counted'),
  );
  app.addHook('onClose', () => openings.close());

  app.get(
    '/',
    {
      config: { access: 'public', docs: docs.readSample },
      schema: {
        tags: ['quiz'],
        summary: 'The free sample',
        querystring: SampleQuery,
        response: withErrors({ 200: SampleResponse }),
      },
    },
    async (request) => {
      const { sample, bankQuestions } = await samples[request.query.language ?? 'no']();
      openings.add();
      return { questions: sample.map(withoutKey), bank_questions: bankQuestions };
    },
  );

  app.get(
    '/:uuid/translation',
    {
      config: { access: 'public', docs: docs.readSampleTranslation },
      schema: {
        tags: ['quiz'],
        summary: 'A question of the free sample in another language, with its key',
        params: SampleParams,
        querystring: TranslationQuery,
        response: withErrors({ 200: Translation }),
      },
    },
    async (request) => {
      const { uuid: questionUuid } = request.params;
      return readSampleTranslation(db, await inBoth(), {
        questionUuid,
        language: request.query.language,
      });
    },
  );

  app.post(
    '/answer',
    {
      config: { access: 'public', docs: docs.answerSample },
      schema: {
        tags: ['quiz'],
        summary: 'Answer a question of the free sample',
        body: AnswerRequest,
        response: withErrors({ 200: AnswerResponse }),
      },
    },
    async ({ body }) =>
      answerSample(await inBoth(), { questionUuid: body.question_id, answer: body.answer }),
  );
};
