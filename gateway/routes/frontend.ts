import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The paths that the frontend's router knows. Anything else is its "not found" page. */
const PAGES = /^\/($|login$|quiz($|\/)|admin($|\/)|personvern$|vilkar$|cookies$)/;

/** Serves the built frontend from `FRONTEND_DIR`; without one, the API alone. */
export async function frontendRoutes(app: FastifyInstance): Promise<void> {
  const { FRONTEND_DIR } = app.deps.config;
  if (!FRONTEND_DIR) return;
  const root = resolve(FRONTEND_DIR);
  if (!existsSync(`${root}/index.html`)) throw new Error(`FRONTEND_DIR: there is no ${root}`);
  await app.register(fastifyStatic, { root, serve: false, dotfiles: 'ignore' });
  const open = { logLevel: 'warn', config: { access: 'public' }, schema: { hide: true } } as const;

  // Their names carry a hash of their contents.
  app.get('/assets/*', open, (request, reply) =>
    reply.sendFile(request.url.split('?')[0]!.slice(1), { maxAge: '365d', immutable: true }),
  );

  for (const file of ['favicon.svg', 'robots.txt']) {
    if (existsSync(`${root}/${file}`)) {
      app.get(`/${file}`, open, (_request, reply) => reply.sendFile(file, { maxAge: '1d' }));
    }
  }

  app.get('/*', open, (request, reply) => {
    const path = request.url.split('?')[0]!;
    if (path.startsWith('/api/')) return reply.callNotFound();
    if (!PAGES.test(path)) reply.status(404);
    return reply
      .header('cache-control', 'no-cache')
      .sendFile('index.html', { cacheControl: false });
  });
}
