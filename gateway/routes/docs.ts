import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { type Encoded, encodeAll, type Encoding, sendEncoded } from '#pages/encodings.ts';

const PAGE_DIR = join(import.meta.dirname, 'docs-page');
/**
 * Swagger UI's files. Its Fastify plugin is not used: its routes have no `config.access`, and its page
 * cannot be given a title and a viewport.
 */
const SWAGGER_UI = fileURLToPath(new URL('static', import.meta.resolve('@fastify/swagger-ui')));

const FILES = {
  'page.css': PAGE_DIR,
  'page.js': PAGE_DIR,
  'swagger-ui.css': SWAGGER_UI,
  'swagger-ui-bundle.js': SWAGGER_UI,
};

const JSON_TYPE = 'application/json; charset=utf-8';
const OPEN = { config: { access: 'public' }, schema: { hide: true } } as const;
const PAGE = { ...OPEN, logLevel: 'warn' } as const;
const FILE = { ...PAGE, config: { access: 'public', rateLimit: false } } as const;

/**
 * Serves the API document and a page to read it. All files of the page are served from here and no script
 * is inline, so it needs no exception in the Content-Security-Policy.
 */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  // Half a megabyte, the same for all callers: serialized and compressed once, for the first one.
  let document: Promise<Record<Encoding, Encoded>> | undefined;
  app.get('/openapi.json', OPEN, async (_request, reply) => {
    // The best quality takes a third of a second longer.
    document ??= encodeAll(JSON.stringify(app.swagger()), 9);
    const encoded = await document;
    reply.headers({ vary: 'Accept-Encoding', 'cache-control': 'public, max-age=300' });
    return sendEncoded(reply, encoded, JSON_TYPE);
  });

  await app.register(fastifyStatic, { root: PAGE_DIR, serve: false });
  app.get('/docs', PAGE, (_request, reply) =>
    reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false }),
  );
  for (const [file, folder] of Object.entries(FILES)) {
    app.get(`/docs/${file}`, FILE, (_request, reply) =>
      reply.sendFile(file, folder, { maxAge: '1h' }),
    );
  }
}
