import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { httpDuration, httpRequests } from '@proveklar/services/counters/counters.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A stream or a download: its duration is not measured. */
    unboundedDuration?: boolean;
  }
}

/** The client closed the request before the response (nginx's 499). */
const CLIENT_CLOSED_REQUEST = 499;

/** Counts requests by route. Labels must be bounded, so the URL is not one. */
export const metricsPlugin = fp(
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      // Not `onResponse`: that does not run when the client leaves first, as with every live stream.
      reply.raw.once('close', () => count(request, reply));
      done();
    });
  },
  { name: 'metrics' },
);

function count(request: FastifyRequest, reply: FastifyReply): void {
  const { streamedBody, unboundedDuration } = request.routeOptions.config;
  const status = reply.raw.headersSent ? reply.raw.statusCode : CLIENT_CLOSED_REQUEST;
  const labels = { method: request.method, route: routeOf(request), status: String(status) };
  httpRequests.inc(labels);
  if (streamedBody || unboundedDuration) return;
  httpDuration.observe(labels, reply.elapsedTime / 1000);
}

function routeOf({ is404, routeOptions }: FastifyRequest): string {
  const { url } = routeOptions;
  if (is404 || !url) return 'unmatched';
  // The frontend's build has an arbitrary number of files: one label for all.
  return /^\/(api|health)\/|\*$/.test(url) ? url : 'file';
}
