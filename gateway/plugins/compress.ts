import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import { takesGzip } from '#pages/encodings.ts';

/** Smaller texts fit into a packet anyhow. In characters, which costs nothing to know. */
const MIN_LENGTH = 1_024;
/**
 * Each takes a quarter of a megabyte while it lasts, and libuv has four threads for it. Above that, as
 * in a flood, answers go out as they are.
 */
const MAX_AT_ONCE = 16;

/**
 * Compresses JSON that is made for one request. Pages, files and the API document were compressed
 * before they were asked for; streams go out as they come.
 *
 * That the length of a compressed answer depends on its content gives nothing away here (BREACH): a
 * foreign page cannot let a browser ask in the learner's name, because who asks is told by a header that only
 * our own code sends, and not by a cookie; no answer to one that can be asked without it is secret.
 */
export const compressPlugin = fp(
  async (app) => {
    let underWay = 0;
    app.addHook('onSend', (request, reply, payload, done) => {
      if (typeof payload !== 'string' || payload.length < MIN_LENGTH || !isPlainJson(reply)) {
        done(null, payload);
        return;
      }
      reply.header('vary', 'Accept-Encoding');
      if (underWay >= MAX_AT_ONCE || !takesGzip(request.headers['accept-encoding'])) {
        done(null, payload);
        return;
      }
      underWay += 1;
      gzip(payload, (error, bytes) => {
        underWay -= 1;
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
