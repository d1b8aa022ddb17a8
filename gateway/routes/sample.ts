import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { withErrors } from '@proveklar/contract/common.ts';
import {
  AnswerRequest,
  AnswerResponse,
  SampleQuery,
  SampleResponse,
} from '@proveklar/contract/quiz.ts';
import { optionsOf } from '@proveklar/services/questions/option-order.ts';
import { answerSample, readSample } from '@proveklar/services/sample/sample.ts';
import * as docs from '#openapi/examples/quiz.ts';
import { cached } from '#pages/cached.ts';

/** The route is public: the database is read once in this time, whatever the number of calls. */
const CACHE_MS = 5_000;

/** The free sample: questions to try without an account. */
export const sampleRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db } = app.deps;
  const samples = {
    no: cached(CACHE_MS, () => readSample(db, 'no')),
    en: cached(CACHE_MS, () => readSample(db, 'en')),
  };

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
      const sample = await samples[request.query.language ?? 'no']();
      return {
        questions: sample.map((question) => ({
          id: question.id,
          uuid: question.uuid,
          question: question.question,
          options: optionsOf(question),
          topic: question.topic,
          language: question.language,
        })),
      };
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
    async ({ body }) => {
      const all = await Promise.all([samples.no(), samples.en()]);
      return answerSample(all.flat(), { questionUuid: body.question_id, answer: body.answer });
    },
  );
};
