import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/** A body takes no longer than this to arrive. */
const WHOLE_BODY_MS = 30_000;
/** A body that is streamed may take as long as it likes, but not say nothing for so long. */
const SILENCE_MS = 30_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler reads the body as it arrives: there is no limit to its time, but to its pauses. */
    streamedBody?: boolean;
  }
}

/**
 * Ends requests whose body does not come. The server's own limit is one for all of them and would cut
 * a steady upload, so it is switched off (`requestTimeout: 0`), and this stands in its place.
 */
export const bodyTimePlugin = fp(
  async (app) => {
    const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
    const stop = (request: FastifyRequest) => clearTimeout(timers.get(request));

    app.addHook('onRequest', async (request) => {
      if (!hasBody(request)) return;
      const giveUp = () => request.raw.destroy(new Error('The body did not come in time'));
      if (request.routeOptions.config.streamedBody) request.raw.setTimeout(SILENCE_MS, giveUp);
      else timers.set(request, setTimeout(giveUp, WHOLE_BODY_MS).unref());
    });
    // The body has been read when validation begins.
    app.addHook('preValidation', async (request) => stop(request));
    app.addHook('onResponse', async (request: FastifyRequest, _reply: FastifyReply) => {
      stop(request);
      if (request.routeOptions.config.streamedBody) request.raw.setTimeout(0);
    });
    app.addHook('onRequestAbort', async (request) => stop(request));
  },
  { name: 'body-time' },
);

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
