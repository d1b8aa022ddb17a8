import type { FastifyPluginAsync } from 'fastify';
import type { Status } from '@proveklar/services/operations/status.ts';
import { renderStatus } from './render-status.ts';

const REFRESH_S = 10;

/**
 * The status: `/` for people, which comes anew every ten seconds unless it is asked to stand still
 * (`/?still`), and `/status.json` with the same facts.
 */
export const statusRoutes =
  (readStatus: () => Promise<Status>): FastifyPluginAsync =>
  async (app) => {
    // Somebody has to look, or nobody knows since when it is so.
    const looking = setInterval(() => void readStatus().catch(() => {}), REFRESH_S * 1000).unref();
    app.addHook('onClose', async () => clearInterval(looking));

    app.get<{ Querystring: { still?: string } }>('/', async ({ query }, reply) => {
      const isStill = query.still !== undefined;
      if (!isStill) reply.header('refresh', REFRESH_S);
      const status = await readStatus();
      return reply.type('text/html; charset=utf-8').send(renderStatus(status, { isStill }));
    });
    app.get('/status.json', async () => readStatus());
  };
