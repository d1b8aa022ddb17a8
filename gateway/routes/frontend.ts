import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AppLanguage, languageTag } from '@proveklar/contract/language.ts';
import {
  COLOUR_SCHEME_COOKIE,
  type LandingFacts,
  NOT_FOUND,
  PRERENDERED,
  questionToTry,
  SIGNED_IN,
  SIGNED_IN_COOKIE,
  toColourScheme,
} from '@proveklar/contract/page.ts';
import type { Queryable } from '@proveklar/services/database/pool.ts';
import { listOffered } from '@proveklar/services/languages/languages.ts';
import { readSettings } from '@proveklar/services/settings/settings.ts';
import { sendEncoded } from '#pages/encodings.ts';
import {
  robotsTxt,
  SECURITY_TXT,
  securityTxt,
  securityTxtExpiry,
  sitemapXml,
} from '#pages/for-robots.ts';
import { openPages, pageOf } from '#pages/pages.ts';
import { cookieOf, pickLanguage } from '#pages/pick-language.ts';
import { cached } from '#pages/cached.ts';
import { publicConfig, supportEmail } from './config.ts';
import { readExams } from './topics-and-exams.ts';
import { readQuestionsToTry } from './sample.ts';

const OPEN = { logLevel: 'warn', config: { access: 'public' }, schema: { hide: true } } as const;
/** Not rate limited: a first page needs many files, and they only cost a read from disk. */
const FILE = { ...OPEN, config: { access: 'public', rateLimit: false } } as const;
const ONE_DAY = { maxAge: '1d' } as const;

/** The service worker of frontend/public/sw.js, and the one that uninstalls it. */
const SERVICE_WORKER = 'sw.js';
const UNINSTALL_WORKER = 'sw-off.js';
/** The worker and the files that it caches at install: browsers must then fetch them again. */
const NO_CACHE_FILES = new Set([SERVICE_WORKER, UNINSTALL_WORKER, 'offline.html', 'offline.js']);

/** Older than the cache allows: the database did not answer in time. */
const OLD_SETTINGS_MS = 2_000;

/** Serves the built frontend from `FRONTEND_DIR`; without one, the API alone. */
export async function frontendRoutes(app: FastifyInstance): Promise<void> {
  const { config, db } = app.deps;
  if (!config.FRONTEND_DIR) return;
  const root = resolve(config.FRONTEND_DIR);
  if (!existsSync(`${root}/pages`)) throw new Error(`FRONTEND_DIR: there is no ${root}/pages`);
  const serviceWorker = config.SERVICE_WORKER === 'on';
  await serveFiles(app, root, serviceWorker);

  for (const [path, type, text] of [
    ['/robots.txt', 'text/plain', robotsTxt(config.PUBLIC_URL)],
    ['/sitemap.xml', 'application/xml', sitemapXml(config.PUBLIC_URL)],
  ] as const) {
    app.get(path, OPEN, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=86400').send(text),
    );
  }

  const pages = openPages(root, { publicUrl: config.PUBLIC_URL, serviceWorker });
  // At most one read per second, whatever the number of visitors.
  const settings = cached(1_000, async () => {
    const readAt = Date.now();
    const [values, offered] = await Promise.all([readSettings(db), listOffered(db)]);
    return { readAt, values, offered };
  });
  const landing = {
    no: cached(5_000, () => readLanding(db, 'no')),
    en: cached(5_000, () => readLanding(db, 'en')),
  };

  const expires = securityTxtExpiry(new Date());
  app.get(SECURITY_TXT, OPEN, async (_request, reply) => {
    const contact = config.SECURITY_CONTACT ?? supportEmail(config, (await settings()).values);
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(securityTxt({ contact, expires }, config.PUBLIC_URL));
  });

  const page = { ...OPEN, config: { access: 'public', isPage: true } } as const;
  app.get('/*', page, async (request, reply) => {
    const path = pathOf(request);
    if (path.startsWith('/api/')) return reply.callNotFound();
    const { cookie, 'accept-language': acceptLanguage } = request.headers;
    const query = request.query as Record<string, unknown>;
    const visit = { query, seemsSignedIn: cookieOf(cookie, SIGNED_IN_COOKIE) === SIGNED_IN };
    const name = pageOf(path, visit);
    // Only to an existing page: a redirect of `//elsewhere/` would lead to another site.
    if (
      name === NOT_FOUND &&
      path.endsWith('/') &&
      pageOf(path.slice(0, -1), visit) !== NOT_FOUND
    ) {
      return reply.redirect(path.slice(0, -1) + request.url.slice(path.length), 308);
    }
    const language = pickLanguage({ query: query.lng, cookie, acceptLanguage });
    const scheme = toColourScheme(cookieOf(cookie, COLOUR_SCHEME_COOKIE));
    const isLanding = name === PRERENDERED['/'];
    const { readAt, values, offered } = await settings();
    const body = await pages(
      name,
      {
        language,
        scheme,
        byAddress: query.lng !== undefined,
        signedIn: visit.seemsSignedIn,
      },
      {
        config: publicConfig(config, values, offered),
        configIsOld: Date.now() - readAt > OLD_SETTINGS_MS,
        landing: isLanding ? await landing[language]() : null,
      },
    );
    reply.headers({
      'content-language': languageTag(language),
      vary: 'Accept-Encoding, Accept-Language, Cookie',
      'cache-control': 'no-cache',
    });
    if (name === NOT_FOUND) reply.status(404);
    return sendEncoded(reply, body, 'text/html; charset=utf-8');
  });
}

/** A question to try, how many there are, and the facts of the practice tests. */
async function readLanding(db: Queryable, language: AppLanguage): Promise<LandingFacts> {
  const [toTry, exams] = await Promise.all([readQuestionsToTry(db, language), readExams(db)]);
  return { question: questionToTry(toTry.sample), exams, questions: toTry.bankQuestions };
}

/** Serves the built files, which were compressed by the build. */
async function serveFiles(
  app: FastifyInstance,
  root: string,
  serviceWorker: boolean,
): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    serve: false,
    dotfiles: 'ignore',
    preCompressed: true,
    setHeaders: (response) => void response.header('vary', 'Accept-Encoding'),
  });
  // Their names contain a hash of their content.
  app.get('/assets/*', FILE, (request, reply) =>
    reply.sendFile(pathOf(request).slice(1), { maxAge: '365d', immutable: true }),
  );
  const isServed = (file: string) => !/^[.]|[.](br|gz)$/.test(file);
  const entries = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name } of entries.filter((entry) => isServed(entry.name))) {
    const file = name === SERVICE_WORKER && !serviceWorker ? UNINSTALL_WORKER : name;
    app.get(`/${name}`, FILE, (_request: FastifyRequest, reply: FastifyReply) => {
      if (!NO_CACHE_FILES.has(name)) return reply.sendFile(file, ONE_DAY);
      return reply.header('cache-control', 'no-cache').sendFile(file, { cacheControl: false });
    });
  }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? '/';
}
