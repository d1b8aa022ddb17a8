import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { httpDuration, httpRequests } from '@proveklar/services/counters/counters.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It takes as long as its stream or its file does: that says nothing of us. */
    takesItsTime?: boolean;
  }
}

/** The client left before it was answered, as web servers log it. */
const CLIENT_LEFT = 499;

/** Counts every request by its route, never by its address, of which there is no end. */
export const metricsPlugin = fp(
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      // Not `onResponse`: that never comes when the client leaves first, as every live stream's does.
      reply.raw.once('close', () => count(request, reply));
      done();
    });
  },
  { name: 'metrics' },
);

function count(request: FastifyRequest, reply: FastifyReply): void {
  const { streamedBody, takesItsTime } = request.routeOptions.config;
  const status = reply.raw.headersSent ? reply.raw.statusCode : CLIENT_LEFT;
  const labels = { method: request.method, route: routeOf(request), status: String(status) };
  httpRequests.inc(labels);
  if (streamedBody || takesItsTime) return;
  httpDuration.observe(labels, reply.elapsedTime / 1000);
}

function routeOf({ is404, routeOptions }: FastifyRequest): string {
  const { url } = routeOptions;
  if (is404 || !url) return 'unmatched';
  // The frontend's build decides how many files there are.
  return /^\/(api|health)\/|\*$/.test(url) ? url : 'file';
}
