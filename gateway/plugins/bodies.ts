import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { connectionsCut } from '@proveklar/services/counters/counters.ts';
import { isStorable } from '@proveklar/services/database/is-storable.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';

const PART_NAMES = { params: 'path', querystring: 'query', body: 'body' };

/**
 * Reads JSON bodies, and no others. An empty one counts as none: browsers send the content type all
 * the same. Text that the database could not store is refused here, for every route, in its path and
 * its query too, as far as the route reads them.
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
        // One that is not declared is not read.
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

/** A body takes no longer than this to arrive. */
const WHOLE_BODY_MS = 30_000;
/** A body that is streamed may take as long as it likes, but not say nothing for so long. */
const SILENCE_MS = 30_000;

interface BodyTimes {
  silenceMs?: number;
  wholeMs?: number;
}

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
  async (app, { silenceMs = SILENCE_MS, wholeMs = WHOLE_BODY_MS }: BodyTimes) => {
    const stops = new WeakMap<FastifyRequest, () => void>();
    const stop = (request: FastifyRequest) => stops.get(request)?.();

    app.addHook('onRequest', async (request) => {
      if (!hasBody(request)) return;
      const giveUp = () => cut(request);
      if (request.routeOptions.config.streamedBody) {
        const stopWatching = watchSilence(request.raw, silenceMs, giveUp);
        stops.set(request, stopWatching);
        // The answer may take longer than a sender may be silent.
        request.raw.once('end', stopWatching);
      } else {
        const timer = setTimeout(giveUp, wholeMs).unref();
        stops.set(request, () => clearTimeout(timer));
      }
    });
    // A body that is not streamed has been read when validation begins.
    app.addHook('preValidation', async (request) => {
      if (!request.routeOptions.config.streamedBody) stop(request);
    });
    app.addHook('onResponse', async (request) => {
      stop(request);
      // Refused before its body had come: the rest is read and thrown away, but not for ever.
      const rest = () => !request.raw.complete && cut(request);
      if (hasBody(request) && !request.raw.complete) setTimeout(rest, wholeMs).unref();
    });
    app.addHook('onRequestAbort', async (request) => stop(request));
  },
  { name: 'body-time' },
);

function cut({ raw }: FastifyRequest): void {
  connectionsCut.inc({ reason: 'slow_body' });
  raw.destroy(new Error('The body did not come in time'));
}

/** Gives up when nothing has arrived for so long. Returns what ends the watching. */
function watchSilence(
  { socket }: IncomingMessage,
  silenceMs: number,
  giveUp: () => void,
): () => void {
  let heard = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead === heard) giveUp();
    heard = socket.bytesRead;
  }, silenceMs).unref();
  return () => clearInterval(timer);
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
