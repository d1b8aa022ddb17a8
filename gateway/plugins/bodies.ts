import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { connectionsCut } from '@proveklar/services/counters/counters.ts';
import { isStorable } from '@proveklar/services/database/is-storable.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';

const PART_NAMES = { params: 'path', querystring: 'query', body: 'body' };

/**
 * Parses JSON bodies, and rejects other types. An empty body counts as no body, because browsers send the
 * content type anyway. It also rejects text that PostgreSQL cannot store, in the body, the path and the
 * declared query.
 */
export const jsonBodyPlugin = fp(
  async (app) => {
    const parse = app.getDefaultJsonParser('error', 'error');
    app.removeContentTypeParser(['application/json', 'text/plain']);
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
      if (body.length === 0) done(null, null);
      else void parse(request, body.toString(), done);
    });

    app.addHook('preValidation', async ({ body, params, query, routeOptions }) => {
      const { config, schema } = routeOptions;
      const parts = {
        params,
        // Routes do not read a query that they do not declare.
        ...(schema?.querystring !== undefined && { querystring: query }),
        ...(!config.rawBody && { body }),
      };
      const [part, fields] = Object.entries(parts).find(([, value]) => !isStorable(value)) ?? [];
      if (!part) return;
      const [field] = Object.entries(fields ?? {}).find(([, value]) => !isStorable(value)) ?? [];
      const name = PART_NAMES[part as keyof typeof PART_NAMES];
      throw new AppError('validation_failed', {
        message: `The ${name} has a character without meaning, or is nested too deeply`,
        details: { part, ...(field !== undefined && { field }) },
      });
    });
  },
  { name: 'json-body' },
);

/** Time for a whole body to arrive. */
const BODY_TIMEOUT_MS = 30_000;
/** Longest pause in a streamed body; its whole time is not limited. */
const IDLE_TIMEOUT_MS = 30_000;

interface BodyTimeouts {
  idleTimeoutMs?: number;
  timeoutMs?: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler streams the body: only its pauses are limited, not its whole time. */
    streamedBody?: boolean;
  }
}

/**
 * Ends requests whose body arrives too slowly. It replaces Node's `requestTimeout`, which is one limit
 * for all requests and would cut off a steady upload (it is set to 0).
 */
export const bodyTimeoutPlugin = fp(
  async (app, { idleTimeoutMs = IDLE_TIMEOUT_MS, timeoutMs = BODY_TIMEOUT_MS }: BodyTimeouts) => {
    const cancels = new WeakMap<FastifyRequest, () => void>();
    const cancel = (request: FastifyRequest) => cancels.get(request)?.();

    app.addHook('onRequest', async (request) => {
      if (!hasBody(request)) return;
      const abort = () => cut(request);
      if (request.routeOptions.config.streamedBody) {
        const cancelIdleTimeout = startIdleTimeout(request.raw, idleTimeoutMs, abort);
        cancels.set(request, cancelIdleTimeout);
        // The timeout is for the body: the response may take longer.
        request.raw.once('end', cancelIdleTimeout);
      } else {
        const timer = setTimeout(abort, timeoutMs).unref();
        cancels.set(request, () => clearTimeout(timer));
      }
    });
    // A body that is not streamed has been read before validation.
    app.addHook('preValidation', async (request) => {
      if (!request.routeOptions.config.streamedBody) cancel(request);
    });
    app.addHook('onResponse', async (request) => {
      cancel(request);
      // Answered before the whole body arrived: the rest is read and discarded, for a limited time.
      const discardUntilTimeout = () => !request.raw.complete && cut(request);
      if (hasBody(request) && !request.raw.complete)
        setTimeout(discardUntilTimeout, timeoutMs).unref();
    });
    app.addHook('onRequestAbort', async (request) => cancel(request));
  },
  { name: 'body-timeout' },
);

function cut({ raw }: FastifyRequest): void {
  connectionsCut.inc({ reason: 'slow_body' });
  raw.destroy(new Error('The body did not arrive in time'));
}

/** Calls `abort` when no byte has arrived for `idleTimeoutMs`. @returns the function that cancels it */
function startIdleTimeout(
  { socket }: IncomingMessage,
  idleTimeoutMs: number,
  abort: () => void,
): () => void {
  let received = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead === received) abort();
    received = socket.bytesRead;
  }, idleTimeoutMs).unref();
  return () => clearInterval(timer);
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
