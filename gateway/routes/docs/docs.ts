import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const OURS = join(import.meta.dirname, 'page');
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

/**
 * The API as a page to read. Everything on it comes from here, no script is inline, and nothing is
 * loaded before somebody opens it, so it needs no exception in the content security policy.
 */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, { root: OURS, serve: false });
  const open = { logLevel: 'warn', config: { access: 'public' }, schema: { hide: true } } as const;

  app.get('/docs', open, (_request, reply) =>
    reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false }),
  );

  const asset = { ...open, config: { access: 'public', rateLimit: false } } as const;
  for (const [file, folder] of Object.entries(FILES)) {
    app.get(`/docs/${file}`, asset, (_request, reply) =>
      reply.sendFile(file, folder, { maxAge: '1h' }),
    );
  }
}
