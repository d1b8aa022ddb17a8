import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import fp from 'fastify-plugin';
import { inRequestContext, type Span } from '@proveklar/services/tracing/request-context.ts';
import { tracing } from '@proveklar/services/tracing/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null while tracing is off. */
    span: Span | null;
  }
}

/**
 * Runs each request in a context with its id, which logs, queries and events then carry. The caller gets
 * the id in `x-request-id`. Ids and trace contexts that callers send are ignored: clients must not choose
 * what our logs contain.
 */
export const requestContextPlugin = fp(
  async (app) => {
    app.decorateRequest('span', null);

    app.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id);
      request.span = startSpan(request);
      // `close` always fires, also when the client leaves before the response.
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) logRequest(request, reply);
        request.span?.end({ attributes: { 'http.response.status_code': reply.statusCode } });
      });
      enterContext(request, done);
    });
    // Reading the body resumes in the socket's context: enters the request's context again.
    app.addHook('preValidation', (request, _reply, done) => enterContext(request, done));
  },
  { name: 'request-context' },
);

function startSpan(request: FastifyRequest): Span | null {
  // No spans of health checks, which come many times a minute.
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

function enterContext({ id, span }: FastifyRequest, done: () => void): void {
  const context = { request_id: id, ...(span && { traceparent: span.traceparent }) };
  inRequestContext(context, span ? () => span.in(done) : done);
}

/**
 * Logs one line for each request, when it has ended: the pattern of its path and the id of the account,
 * but not the path itself, the query or the address.
 */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'request_id' });
  }

  override incomingRequest(): void {
    // Only the end of a request is logged.
  }

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    logRequest(request, reply);
  }

  override routeNotFound(): void {
    // The line of the request has the route `unmatched`.
  }
}

/** Logs a request, also when its client left before the response. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { account, errorCode, span } = request;
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? 'unmatched',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(account && { account: account.id }),
      ...(errorCode && { code: errorCode }),
      ...(span && { trace_id: span.traceparent.split('-')[1] }),
      ...(!reply.raw.writableFinished && { aborted: true }),
    },
    'request',
  );
}
