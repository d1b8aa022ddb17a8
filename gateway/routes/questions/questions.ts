import type { FastifyInstance } from 'fastify';
import { feedbackRoute } from './feedback.ts';
import { listRoute } from './list.ts';

export async function questionsRoutes(app: FastifyInstance): Promise<void> {
  await app.register(listRoute);
  await app.register(feedbackRoute);
}
