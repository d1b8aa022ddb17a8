import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { EVENTS, type QueueName } from '@proveklar/services/events/catalogue.ts';
import type { JobQueue } from '@proveklar/services/events/queue-backend.ts';
import type { OpenRejections, RejectedGroup } from '@proveklar/services/events/rejected-events.ts';
import { scrub } from '@proveklar/services/logging/scrub.ts';

/** Path of the queue dashboard (Bull Board) on the admin port. */
export const BOARD_PREFIX = '/queues';

/** What each queue does, shown on the board. */
const PURPOSES: Record<QueueName, string> = {
  statistics: 'Counts answers and quizzes',
  payments: 'Updates our payments from Stripe, and makes refunds',
  mail: 'Sends mails',
  live: 'Notifies open screens of changes',
  imports: 'Imports files of questions',
  regrades: 'Corrects quiz results after an answer key was wrong',
  analysis: 'Makes imported questions searchable',
  changes: 'Changes many questions at once',
  'near-duplicates': 'Finds near-duplicate questions',
};

/** What is decided about queues, and which of them are so at the moment. */
interface QueueChange {
  names: readonly QueueName[];
  paused: boolean;
  already: readonly QueueName[];
}

/** A working queue answers sooner; an unreachable one may never answer. */
const TIMEOUT_MS = 5_000;

/**
 * Bull Board under `/queues`: waiting and failed jobs with their errors; pause, resume and retry. All
 * other actions (adding, changing, removing jobs) are refused, because the outbox is the only way into a
 * queue. Of a job it shows the batch id and no personal data. Rejected events and their reasons are
 * added to the description of their queue.
 *
 * @param queues may be filled later: queues open when the database is reachable
 * @param readRejections reads the rejected events; if it fails, the board shows the queues without them
 * @param setPaused decides that queues are paused or not: without it the workers would undo the action
 */
export const board =
  (
    queues: ReadonlyMap<QueueName, JobQueue>,
    readRejections: () => Promise<OpenRejections>,
    setPaused: (change: QueueChange) => Promise<void>,
  ): FastifyPluginAsync =>
  async (app) => {
    await app.register(
      async (scope) => {
        scope.addHook('onRoute', (route) => {
          route.handlerTimeout = TIMEOUT_MS;
        });
        scope.addHook('onRequest', async (request, reply) => {
          const isReading = request.method === 'GET' || request.method === 'HEAD';
          if (isReading || actionOf(request, BOARD_PREFIX)) return undefined;
          request.log.warn({ path: request.url, address: request.ip }, 'queues: refused');
          return reply.status(403).send(REFUSED);
        });
        scope.addHook('preHandler', async (request) => {
          const { action = '', queue } = actionOf(request, BOARD_PREFIX) ?? {};
          const paused = PAUSED_BY[action];
          if (paused === undefined) return;
          const meant = [...queues].filter(([name]) => queue === undefined || name === queue);
          const already = await Promise.all(
            meant.map(async ([name, one]) => ((await one.isPaused()) === paused ? [name] : [])),
          );
          await setPaused({ names: meant.map(([name]) => name), paused, already: already.flat() });
        });
        scope.addHook('onResponse', async (request, reply) => {
          const action = actionOf(request, BOARD_PREFIX);
          const isRefused = reply.statusCode >= 400 && reply.statusCode < 500;
          if (!action || isRefused) return;
          const { ip: address } = request;
          request.log.info({ ...action, address, status: reply.statusCode }, 'queues: changed');
        });
        scope.addHook('preSerialization', async (_request, _reply, body) => {
          const clean = withCleanErrors(body, scrub);
          if (!listsQueues(clean)) return clean;
          const { groups } = await readRejections().catch(() => ({ groups: [] }));
          return { ...clean, queues: clean.queues.map((queue) => withRejections(queue, groups)) };
        });
        scope.addHook('onSend', async (_request, reply, body) => {
          const isPage = String(reply.getHeader('content-type')).startsWith('text/html');
          if (!isPage || typeof body !== 'string') return body;
          reply.removeHeader('content-length');
          return fitPage(body);
        });

        const adapter = new FastifyAdapter().setBasePath(BOARD_PREFIX);
        const { setQueues } = createBullBoard({
          queues: [],
          serverAdapter: adapter,
          options: { uiConfig: UI_CONFIG },
        });
        let shown = 0;
        scope.addHook('onRequest', async () => {
          if (shown === queues.size) return;
          shown = queues.size;
          setQueues([...queues].map(([name, queue]) => show(name, queue)));
        });
        // Replaces Bull Board's handler, which sends errors of Redis and PostgreSQL to the client, in
        // development with the stack. It also handles errors of authentication.
        adapter.setErrorHandler((error: Error & { statusCode?: number }) => {
          const { statusCode: status = 500, message } = error;
          // Bull Board's type lacks 401.
          if (status < 500) return { status: status as 403, body: { error: FORBIDDEN, message } };
          scope.log.error({ err: error }, 'queues: failed');
          return { status: 500, body: UNAVAILABLE };
        });
        await scope.register(adapter.registerPlugin());
      },
      { prefix: BOARD_PREFIX },
    );
  };

const FORBIDDEN = { key: 'ERRORS.FORBIDDEN' as const };
const REFUSED = {
  error: FORBIDDEN,
  message: 'The board can pause, resume and retry. Only the workers add and remove jobs.',
};
const UNAVAILABLE = {
  error: { key: 'ERRORS.INTERNAL_SERVER_ERROR' as const },
  message: 'The queues do not answer. Nothing is lost: events wait in the outbox.',
};
const UI_CONFIG = {
  boardTitle: 'Prøveklar queues',
  hideDocsLink: true,
  locale: { lng: 'en-GB' },
  miscLinks: [{ text: 'Status', url: '/' }],
};

/** A queue in an answer of the board: the fields used here. */
interface ShownQueue {
  name: string;
  description?: string;
}

const listsQueues = (answer: unknown): answer is { queues: ShownQueue[] } =>
  typeof answer === 'object' &&
  answer !== null &&
  'queues' in answer &&
  Array.isArray(answer.queues);

/** Reasons in one description; the status page shows more, `npm run events` all. */
const MAX_REASONS = 3;

/** Appends the queue's rejected events and their reasons to its description. */
function withRejections(queue: ShownQueue, groups: readonly RejectedGroup[]): ShownQueue {
  const own = groups.filter((group) => group.queue === queue.name);
  if (own.length === 0) return queue;
  const reasons = own.slice(0, MAX_REASONS).map(({ name, count, ids, reason, sqlstate }) => {
    const more = count > ids.length ? ', …' : '';
    const state = sqlstate ? ` (SQLSTATE ${sqlstate})` : '';
    return `${count} × ${name}: ${reason}${state}, numbers ${ids.join(', ')}${more}`;
  });
  const rest = own.length > MAX_REASONS ? '; and more' : '';
  const { description = '' } = queue;
  return {
    ...queue,
    description: `${description}. Rejected events: ${reasons.join('; ')}${rest}. See the status page, or npm run events -- list`,
  };
}

type AnyQueue = ConstructorParameters<typeof BullMQAdapter>[0];

function show(name: QueueName, queue: JobQueue): BullMQAdapter {
  // A batch is applied once, so retrying a completed job would change nothing.
  const options = { description: PURPOSES[name], allowCompletedRetries: false };
  // The adapter's type wants a Redis queue; it uses only what PostgreSQL queues have too.
  const shown = new BullMQAdapter(queue as unknown as AnyQueue, options);
  shown.setFormatter('data', shownData);
  shown.setFormatter('name', shownName);
  shown.setFormatter('returnValue', () => null);
  shown.setFormatter('progress', () => 0);
  return shown;
}

/** The allowed actions, by the board's routes. Every other changing request is refused. */
const ACTIONS: Readonly<Record<string, string>> = {
  'PUT /api/queues/pause': 'pause all',
  'PUT /api/queues/resume': 'resume all',
  'PUT /api/queues/:queueName/pause': 'pause',
  'PUT /api/queues/:queueName/resume': 'resume',
  'PUT /api/queues/:queueName/retry/:queueStatus': 'retry all',
  'PUT /api/queues/:queueName/:jobId/retry': 'retry',
};

/** The state of a queue after an action. */
const PAUSED_BY: Readonly<Record<string, boolean>> = {
  'pause all': true,
  'resume all': false,
  pause: true,
  resume: false,
};

/** What a request does, for the log. */
interface Action {
  action: string;
  queue?: string;
  job?: string;
}

/** @returns undefined for requests that are not allowed, and for those that only read */
function actionOf(request: FastifyRequest, prefix: string): Action | undefined {
  const { url = '' } = request.routeOptions;
  const action = ACTIONS[`${request.method} ${url.slice(prefix.length)}`];
  const { queueName, jobId, queueStatus } = request.params as Record<string, string | undefined>;
  if (!action || (queueStatus !== undefined && queueStatus !== 'failed')) return undefined;
  return { action, ...(queueName && { queue: queueName }), ...(jobId && { job: jobId }) };
}

/** Shows a job's batch id; all other data is hidden. */
function shownData(data: unknown): { batch_id?: string } {
  const { batch_id: batch } = (data ?? {}) as { batch_id?: unknown };
  return typeof batch === 'string' ? { batch_id: batch } : {};
}

/** Shows names of known events only. */
function shownName({ name }: { name: string }): string {
  return name in EVENTS ? name : 'unknown';
}

const ERRORS = new Set(['failedReason', 'stacktrace', 'deferredFailure', 'logs']);

/**
 * Applies `clean` to the error texts in an answer of the board, which has no formatter for them.
 * Workers scrub errors before they store them; jobs of older versions may hold unscrubbed ones.
 */
function withCleanErrors(answer: unknown, clean: (text: string) => string): unknown {
  if (Array.isArray(answer)) return answer.map((item) => withCleanErrors(item, clean));
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      ERRORS.has(name) ? cleanText(value, clean) : withCleanErrors(value, clean),
    ]),
  );
}

function cleanText(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  return Array.isArray(value) ? value.map((item) => cleanText(item, clean)) : value;
}

/** Icons of refused actions: adding, changing and removing jobs, and limits of a queue. */
const REFUSED_ICONS = [
  'plus',
  'files',
  'pencil',
  'trash-2',
  'ban',
  'gauge',
  'chart-no-axes-gantt',
  'circle-arrow-up',
];
const icons = REFUSED_ICONS.map((name) => `.lucide-${name}`).join(', ');
const HIDE_REFUSED = `<style>
[role='menuitem']:has(${icons}),
:is([class*='queueActions'], [class*='jobActions']) li:not(:has(.lucide-refresh-cw)) { display: none; }
</style>`;

/**
 * Hides the buttons of refused actions, which Bull Board has no setting for, and removes the font it
 * would load from another site. The server refuses those actions even where a button stays visible.
 */
function fitPage(html: string): string {
  return html
    .replace(/<link href="https:\/\/fonts\.googleapis\.com[^>]*>/, '')
    .replace('</head>', `${HIDE_REFUSED}</head>`);
}
