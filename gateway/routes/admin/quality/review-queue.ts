import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  createReviewQueue,
  QUALITY_PAGE_SIZE,
  type QualityItem,
} from '@proveklar/services/statistics/review-queue.ts';
import { ENOUGH_ANSWERS } from '@proveklar/services/statistics/thresholds.ts';
import * as docs from '#openapi/examples/question-quality.ts';
import { QualityQuery, QualityResponse } from '@proveklar/contract/question-quality.ts';
import { withErrors } from '@proveklar/contract/common.ts';
import { toFigures, toShares } from './figures-body.ts';

export const reviewQueueRoute: FastifyPluginAsyncTypebox = async (app) => {
  const listReviewQueue = createReviewQueue(app.deps.db);
  app.get(
    '/',
    {
      config: { access: 'admin', docs: docs.listReviewQueue },
      schema: {
        tags: ['admin'],
        summary: 'The questions that look wrong, the worst first',
        querystring: QualityQuery,
        response: withErrors({ 200: QualityResponse }),
      },
    },
    async (request) => {
      const { reason, page = 1 } = request.query;
      const { items, total } = await listReviewQueue(reason, page);
      return {
        questions: items.map(toBody),
        total,
        page,
        page_size: QUALITY_PAGE_SIZE,
        threshold: ENOUGH_ANSWERS,
      };
    },
  );
};

function toBody({ options, ...item }: QualityItem) {
  const shares = toShares(options);
  const [preferred] = shares
    .filter(({ is_key, times_chosen }) => !is_key && times_chosen > 0)
    .toSorted((a, b) => b.times_chosen - a.times_chosen);
  const { answers: _a, facility: _f, quizzes: _q, discrimination: _d, ...question } = item;
  return {
    ...question,
    ...toFigures(item),
    key_share: shares.find((option) => option.is_key)?.share ?? null,
    preferred_distractor: preferred
      ? {
          option: preferred.option,
          times_chosen: preferred.times_chosen,
          share: preferred.share ?? 0,
        }
      : null,
  };
}
