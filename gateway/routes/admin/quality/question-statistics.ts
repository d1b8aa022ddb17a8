import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readQuestionStatistics } from '@proveklar/services/statistics/question-statistics.ts';
import { ENOUGH_ANSWERS } from '@proveklar/services/statistics/thresholds.ts';
import * as docs from '#openapi/examples/question-quality.ts';
import { QuestionParams } from '@proveklar/contract/feedback.ts';
import { QuestionStatisticsResponse } from '@proveklar/contract/question-quality.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { toFigures, toShares } from './figures-body.ts';

export const questionStatisticsRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:question/statistics',
    {
      config: { access: 'admin', docs: docs.readQuestionStatistics },
      schema: {
        tags: ['admin'],
        summary: 'How learners answer a question',
        params: QuestionParams,
        response: withErrors({ 200: QuestionStatisticsResponse }),
      },
    },
    async (request) => toBody(await readQuestionStatistics(app.deps.db, request.params.question)),
  );
};

type Found = Awaited<ReturnType<typeof readQuestionStatistics>>;

function toBody({ id, uuid, question, topic, language, version, ...found }: Found) {
  const { regrade } = found;
  return {
    id,
    uuid,
    question,
    topic,
    language,
    version,
    threshold: ENOUGH_ANSWERS,
    ...toFigures(found),
    options: toShares(found.options),
    versions: found.versions.map((each) => ({
      version: each.version,
      current: each.current,
      pooled: each.pooled,
      corrected: each.corrected,
      question: each.question,
      replaced_at: each.replaced_at?.toISOString() ?? null,
      ...toFigures(each),
      options: toShares(each.options),
    })),
    regrade: regrade && {
      ...regrade,
      requested_at: regrade.requested_at.toISOString(),
      completed_at: regrade.completed_at?.toISOString() ?? null,
    },
  };
}
