import type { FastifyInstance } from 'fastify';
import { type Encoded, encodeAll, type Encoding, sendEncoded } from '#pages/encodings.ts';

const OPEN = { config: { access: 'public' }, schema: { hide: true } } as const;
const JSON_TYPE = 'application/json; charset=utf-8';

/** The document is half a megabyte, and the same for all: it is written and compressed once. */
export async function openApiRoutes(app: FastifyInstance): Promise<void> {
  let document: Record<Encoding, Encoded>;
  app.addHook('onReady', async () => {
    // The best quality would take a third of a second of every start.
    document = await encodeAll(JSON.stringify(app.swagger()), 9);
  });
  app.get('/openapi.json', OPEN, (_request, reply) => {
    reply.headers({ vary: 'Accept-Encoding', 'cache-control': 'public, max-age=300' });
    return sendEncoded(reply, document, JSON_TYPE);
  });
}
