import type { FastifyInstance } from 'fastify';
import { correctKeyRoute } from './correct-key.ts';
import { dismissRoute } from './dismiss.ts';
import { questionStatisticsRoute } from './question-statistics.ts';
import { reviewQueueRoute } from './review-queue.ts';
import { summaryRoute } from './summary.ts';

export async function qualityRoutes(app: FastifyInstance): Promise<void> {
  await app.register(reviewQueueRoute, { prefix: '/admin/quality' });
  await app.register(summaryRoute, { prefix: '/admin/quality' });
  await app.register(dismissRoute, { prefix: '/admin/quality' });
  await app.register(questionStatisticsRoute, { prefix: '/questions' });
  await app.register(correctKeyRoute, { prefix: '/questions' });
}
