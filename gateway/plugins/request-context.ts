import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { inRequestContext } from '@proveklar/services/tracing/request-context.ts';
import type { Span } from '@proveklar/services/tracing/span.ts';
import { tracing } from '@proveklar/services/tracing/tracing.ts';
import { logRequest } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null while no traces are made. */
    span: Span | null;
  }
}

/**
 * Lets whatever is done for a request know which one it is, up to the events that it leaves behind.
 * The caller is told its id; one that the caller sends is not taken over, and no trace of theirs: who
 * writes to us from outside must not choose what stands in our log.
 */
export const requestContextPlugin = fp(
  async (app) => {
    app.decorateRequest('span', null);

    app.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id);
      request.span = startSpan(request);
      // It comes in any case, also when the client leaves before the answer.
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) logRequest(request, reply);
        request.span?.end({ attributes: { 'http.response.status_code': reply.statusCode } });
      });
      within(request, done);
    });
    // The body's last bytes came with the socket, which does not know of the request.
    app.addHook('preValidation', (request, _reply, done) => within(request, done));
  },
  { name: 'request-context' },
);

function startSpan(request: FastifyRequest): Span | null {
  // Whoever watches asks many times a minute, and leads nowhere.
  if (request.routeOptions.logLevel === 'warn') return null;
  const { method } = request;
  const route = request.routeOptions.url ?? 'unmatched';
  const span = tracing()?.startSpan(`${method} ${route}`, {
    kind: 'server',
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'proveklar.request_id': request.id,
    },
  });
  return span ?? null;
}

function within({ id, span }: FastifyRequest, done: () => void): void {
  const context = { request_id: id, ...(span && { traceparent: span.traceparent }) };
  inRequestContext(context, span ? () => span.in(done) : done);
}
