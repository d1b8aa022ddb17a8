import type { FastifyInstance } from 'fastify';
import { answerRoute } from './answer.ts';
import { cancelRoute } from './cancel.ts';
import { endRoute } from './end.ts';
import { historyRoute } from './history.ts';
import { markRoute } from './mark.ts';
import { openRoute } from './open.ts';
import { progressRoute } from './progress.ts';
import { readRoute } from './read.ts';
import { startRoute } from './start.ts';
import { translationRoute } from './translation.ts';

export async function quizRoutes(app: FastifyInstance): Promise<void> {
  await app.register(startRoute);
  await app.register(historyRoute);
  await app.register(openRoute);
  await app.register(progressRoute);
  await app.register(readRoute);
  await app.register(translationRoute);
  await app.register(answerRoute);
  await app.register(markRoute);
  await app.register(endRoute);
  await app.register(cancelRoute);
}
