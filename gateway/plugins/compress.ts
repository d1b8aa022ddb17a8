import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import { acceptsGzip } from '#pages/encodings.ts';

/** Smaller texts fit into one packet anyway. In characters, because counting bytes would cost an encoding. */
const MIN_LENGTH = 1_024;
/**
 * Each compression takes 256 KiB of memory while it runs, on one of libuv's four threads. Above this
 * number, as in a flood, responses are sent uncompressed.
 */
const MAX_CONCURRENT = 16;

/**
 * Compresses JSON responses. Pages, files and the API document are compressed in advance; streams are
 * not compressed.
 *
 * The length of a compressed response depends on its content, but BREACH is not possible here: requests
 * are authenticated by a header that only our own code sends, not by a cookie, so another site cannot make
 * a browser send them. Responses to requests without that header hold no secret.
 */
export const compressPlugin = fp(
  async (app) => {
    let running = 0;
    app.addHook('onSend', (request, reply, payload, done) => {
      if (typeof payload !== 'string' || payload.length < MIN_LENGTH || !isPlainJson(reply)) {
        done(null, payload);
        return;
      }
      reply.header('vary', 'Accept-Encoding');
      if (running >= MAX_CONCURRENT || !acceptsGzip(request.headers['accept-encoding'])) {
        done(null, payload);
        return;
      }
      running += 1;
      gzip(payload, (error, bytes) => {
        running -= 1;
        if (!error) reply.header('content-encoding', 'gzip');
        done(null, error ? payload : bytes);
      });
    });
  },
  { name: 'compress' },
);

function isPlainJson(reply: FastifyReply): boolean {
  const type = String(reply.getHeader('content-type'));
  return type.startsWith('application/json') && !reply.hasHeader('content-encoding');
}
