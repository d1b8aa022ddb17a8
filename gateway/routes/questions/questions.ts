import type { FastifyInstance } from 'fastify';
import { editRoutes } from './edit.ts';
import { exportRoute } from './export.ts';
import { feedbackRoute } from './feedback.ts';
import { listRoute } from './list.ts';
import { readRoutes } from './read.ts';
import { stateRoutes } from './state.ts';

export async function questionsRoutes(app: FastifyInstance): Promise<void> {
  await app.register(listRoute);
  await app.register(feedbackRoute);
  await app.register(exportRoute);
  await app.register(readRoutes);
  await app.register(editRoutes);
  await app.register(stateRoutes);
}
