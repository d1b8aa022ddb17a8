import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';

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
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
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
