import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { withErrors } from '@proveklar/contract/common.ts';
import { HealthResponse } from '@proveklar/contract/config.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { ServiceStatus } from '@proveklar/contract/operations.ts';
import { isReachable } from '@proveklar/services/database/check-database.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { readStatus } from '@proveklar/services/database/service-status.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { tryWithTimeout } from '@proveklar/services/lifecycle/try-with-timeout.ts';
import * as docs from '#openapi/examples/service.ts';
import { pickLanguage } from '#pages/pick-language.ts';
import { PLAIN_PAGE_HEADERS, plainPage } from '#pages/plain-page.ts';

/** Liveness and readiness of this process. */
export const healthRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const response = withErrors({ 200: HealthResponse });
  // Called many times a minute by monitoring: not logged.
  const logLevel = 'warn';

  app.get(
    '/health/live',
    {
      logLevel,
      config: { access: 'public', rateLimit: false, docs: docs.isLive },
      schema: { tags: ['health'], summary: 'Liveness: whether the process runs', response },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/health/ready',
    {
      logLevel,
      config: { access: 'public', rateLimit: false, docs: docs.isReady },
      schema: {
        tags: ['health'],
        summary: 'Readiness: whether the process can take requests',
        response,
      },
    },
    async () => {
      // A draining gateway still answers, but load balancers must send no new requests.
      const isReady = !app.draining.aborted && (await isReachable(app.deps.db));
      if (!isReady) throw new AppError('unavailable');
      return { status: 'ok' as const };
    },
  );
};

/** What the public status page shows: the parts of the operators' status that learners notice. */
const LINES = ['practise', 'pay', 'sign-in'] as const;
type Line = (typeof LINES)[number];
type State = 'up' | 'degraded' | 'down';
/** `since`: null for what was never otherwise while this process ran. */
type Lines = Record<Line, { state: State; since: Date | null }>;

const LOOK_INTERVAL_MS = 10_000;
const LOOK_TIMEOUT_MS = 3_000;
/** A worker stores a status every ten seconds. One that stays the same for longer says that no worker runs. */
const STALE_MS = 60_000;

/**
 * The public status page, `/status`. It is answered from memory: the database is read in the background, so
 * that the page is there while the database is not.
 */
export async function statusPageRoutes(app: FastifyInstance): Promise<void> {
  const watch = watchStatus(app.deps.db);
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    void watch.look();
    timer = setInterval(() => void watch.look(), LOOK_INTERVAL_MS).unref();
  });
  app.addHook('onClose', async () => clearInterval(timer));

  app.get(
    '/status',
    { logLevel: 'warn', config: { access: 'public' }, schema: { hide: true } },
    async (request, reply) => {
      const { cookie, 'accept-language': acceptLanguage } = request.headers;
      const { lng } = request.query as { lng?: unknown };
      const language = pickLanguage({ query: lng, cookie, acceptLanguage });
      return reply.headers(PLAIN_PAGE_HEADERS).send(statusPage(watch.lines(), language));
    },
  );
}

/** Remembers what learners can do, and since when. */
export function watchStatus(db: Database, now: () => Date = () => new Date()) {
  const lines = Object.fromEntries(
    LINES.map((line) => [line, { state: 'up', since: null }]),
  ) as Lines;
  // Compares no clock of a worker with ours.
  let last: { at: string | undefined; seen: number } | undefined;
  return {
    lines: (): Lines => lines,
    /** Looks once. It never fails: a database that does not answer is what it finds. */
    async look(): Promise<void> {
      const found = await tryWithTimeout(LOOK_TIMEOUT_MS, readStatus(db));
      if (found !== undefined && (!last || last.at !== found?.at)) {
        last = { at: found?.at, seen: now().getTime() };
      }
      const isStale = now().getTime() - (last?.seen ?? 0) > STALE_MS;
      for (const line of LINES) {
        const state = stateOf(line, found, isStale);
        if (state !== lines[line].state) lines[line] = { state, since: now() };
      }
    },
  };
}

/** `status`: undefined while the database does not answer, null before the first worker. */
function stateOf(line: Line, status: ServiceStatus | null | undefined, isStale: boolean): State {
  if (status === undefined) return 'down';
  if (isStale) {
    // Without workers one can practise and sign in; a payment counts later.
    return line === 'pay' ? 'degraded' : 'up';
  }
  // A warning is for operators: right after a start, that nothing was asked of Stripe yet.
  return status?.parts.find(({ id }) => id === line)?.level === 'fault' ? 'down' : 'up';
}

const TEXTS: Record<
  AppLanguage,
  Record<Line | State | 'title' | 'since' | 'checked' | 'again' | 'all' | 'some' | 'front', string>
> = {
  no: {
    title: 'Driftsstatus',
    all: 'Alt virker.',
    some: 'Noe virker ikke som det skal. Vi arbeider med saken.',
    practise: 'Øve',
    pay: 'Betale',
    'sign-in': 'Logge inn',
    up: 'Virker',
    degraded: 'Virker delvis',
    down: 'Virker ikke',
    since: 'siden',
    checked: 'Sjekket',
    again: 'Sjekk igjen',
    front: 'Til forsiden',
  },
  en: {
    title: 'Service status',
    all: 'Everything works.',
    some: 'Something does not work as it should. We are working on it.',
    practise: 'Practise',
    pay: 'Pay',
    'sign-in': 'Sign in',
    up: 'Works',
    degraded: 'Works partly',
    down: 'Does not work',
    since: 'since',
    checked: 'Checked',
    again: 'Check again',
    front: 'To the front page',
  },
};

/** They say the state without colour. */
const SYMBOLS: Record<State, string> = { up: '✓', degraded: '!', down: '✕' };

function statusPage(lines: Lines, language: AppLanguage): string {
  const t = TEXTS[language];
  const allUp = LINES.every((line) => lines[line].state === 'up');
  const now = new Date();
  const time = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'nb-NO', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Europe/Oslo',
  });
  const rows = LINES.map((line) => {
    const { state, since } = lines[line];
    const when = since
      ? ` <time datetime="${since.toISOString()}">${t.since} ${time.format(since)}</time>`
      : '';
    return `<div><dt>${t[line]}</dt><dd><span class="${state}"><span aria-hidden="true">${SYMBOLS[state]}</span> ${t[state]}</span>${when}</dd></div>`;
  });
  return plainPage({
    language,
    title: t.title,
    content: `<p>${allUp ? t.all : t.some}</p>
<dl>
${rows.join('\n')}
</dl>
<p>${t.checked} <time datetime="${now.toISOString()}">${time.format(now)}</time></p>
<p class="ways"><a href="/status">${t.again}</a><a href="/">${t.front}</a></p>`,
  });
}
