import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import fp from 'fastify-plugin';
import { inRequestContext, type Span } from '@proveklar/services/tracing/request-context.ts';
import { tracing } from '@proveklar/services/tracing/tracing.ts';

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

/**
 * One line for each request, when it has ended: what was asked for by the pattern of its path, who
 * asked by the account's id. Not the path itself, the query or the address.
 */
export class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'request_id' });
  }

  override incomingRequest(): void {
    // Its end is logged.
  }

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    logRequest(request, reply);
  }

  override routeNotFound(): void {
    // Its line says `unmatched`.
  }
}

/** Writes the line of a request; also of one whose client left before the answer. */
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
