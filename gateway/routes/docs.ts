import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { type Encoded, encodeAll, type Encoding, sendEncoded } from '#pages/encodings.ts';

const OURS = join(import.meta.dirname, 'docs-page');
/**
 * Swagger UI's own files. The package's plugin is not used: its routes do not say who may call them,
 * and its page is not ours to give a title and a viewport.
 */
const SWAGGER_UI = fileURLToPath(new URL('static', import.meta.resolve('@fastify/swagger-ui')));

const FILES = {
  'page.css': OURS,
  'page.js': OURS,
  'swagger-ui.css': SWAGGER_UI,
  'swagger-ui-bundle.js': SWAGGER_UI,
};

const JSON_TYPE = 'application/json; charset=utf-8';
const OPEN = { config: { access: 'public' }, schema: { hide: true } } as const;
const PAGE = { ...OPEN, logLevel: 'warn' } as const;
const FILE = { ...PAGE, config: { access: 'public', rateLimit: false } } as const;

/**
 * The API as a document, and as a page to read. Everything on the page comes from here, no script is inline,
 * and nothing is loaded before somebody opens it, so it needs no exception in the content security policy.
 */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  // Half a megabyte, and the same for all: it is written and compressed once.
  let document: Record<Encoding, Encoded>;
  app.addHook('onReady', async () => {
    // The best quality would take a third of a second of every start.
    document = await encodeAll(JSON.stringify(app.swagger()), 9);
  });
  app.get('/openapi.json', OPEN, (_request, reply) => {
    reply.headers({ vary: 'Accept-Encoding', 'cache-control': 'public, max-age=300' });
    return sendEncoded(reply, document, JSON_TYPE);
  });

  await app.register(fastifyStatic, { root: OURS, serve: false });
  app.get('/docs', PAGE, (_request, reply) =>
    reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false }),
  );
  for (const [file, folder] of Object.entries(FILES)) {
    app.get(`/docs/${file}`, FILE, (_request, reply) =>
      reply.sendFile(file, folder, { maxAge: '1h' }),
    );
  }
}
