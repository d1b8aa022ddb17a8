import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { EVENTS, type QueueName } from '@proveklar/services/events/catalogue.ts';
import type { JobQueue } from '@proveklar/services/events/queue-backend.ts';
import type { OpenRejections, RejectedGroup } from '@proveklar/services/events/rejected-events.ts';
import { scrub } from '@proveklar/services/logging/scrub.ts';

/** Where the board of the queues is on the operators' port. */
export const BOARD_PREFIX = '/queues';

/** What waits in each queue, for who has not made them. */
const PURPOSES: Record<QueueName, string> = {
  statistics: 'Counts answers and quizzes',
  payments: 'Brings our books up to what Stripe says, and makes refunds',
  mail: 'Sends mails',
  live: 'Tells open screens what to read again',
  imports: 'Takes files of questions into the bank',
  regrades: 'Corrects results after a wrong key',
  analysis: 'Makes imported questions searchable',
  changes: 'Changes many questions at once',
  'near-duplicates': 'Looks for questions that say the same',
};

/** Longer than a queue that works takes: one that is away may never answer. */
const TIMEOUT_MS = 5_000;

/**
 * The board of the queues, under `/queues`: what waits, what failed and why, pause, resume and retry.
 * Everything else that it could do (adding, changing, removing jobs) is refused, because the outbox is
 * the one way into a queue. It shows of a job which batch it names and nothing of whom it concerns. What of a
 * queue's events was set aside, and why, stands beside what the queue is for.
 *
 * @param queues may be filled later: they are opened when the database is there
 * @param readRejections reads what was set aside; where it fails, the board shows the queues without
 */
export const board =
  (
    queues: ReadonlyMap<QueueName, JobQueue>,
    readRejections: () => Promise<OpenRejections>,
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
          options: { uiConfig: LOOK },
        });
        let shown = 0;
        scope.addHook('onRequest', async () => {
          if (shown === queues.size) return;
          shown = queues.size;
          setQueues([...queues].map(([name, queue]) => show(name, queue)));
        });
        // Its own tells the reader, and in development the stack, of what Redis or PostgreSQL said.
        // It also hears of those who may not look.
        adapter.setErrorHandler((error: Error & { statusCode?: number }) => {
          const { statusCode: status = 500, message } = error;
          // 401 and 403, which its types do not all know.
          if (status < 500) return { status: status as 403, body: { error: FORBIDDEN, message } };
          scope.log.error({ err: error }, 'queues: failed');
          return { status: 500, body: UNANSWERED };
        });
        await scope.register(adapter.registerPlugin());
      },
      { prefix: BOARD_PREFIX },
    );
  };

const FORBIDDEN = { key: 'ERRORS.FORBIDDEN' as const };
const REFUSED = {
  error: FORBIDDEN,
  message: 'Here one may pause, resume and retry. Jobs are made and removed by the workers alone.',
};
const UNANSWERED = {
  error: { key: 'ERRORS.INTERNAL_SERVER_ERROR' as const },
  message: 'The queues do not answer. Nothing is lost: events wait in the outbox.',
};
const LOOK = {
  boardTitle: 'Prøveklar queues',
  hideDocsLink: true,
  locale: { lng: 'en-GB' },
  miscLinks: [{ text: 'Status', url: '/' }],
};

/** A queue in an answer of the board, as far as it is changed here. */
interface ShownQueue {
  name: string;
  description?: string;
}

const listsQueues = (answer: unknown): answer is { queues: ShownQueue[] } =>
  typeof answer === 'object' &&
  answer !== null &&
  'queues' in answer &&
  Array.isArray(answer.queues);

/** Reasons in one description; the status page has more of them, and `npm run events` all. */
const MAX_REASONS = 3;

/** Says behind what a queue is for which of its events were set aside, and why. */
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
    description: `${description}. Set aside: ${reasons.join('; ')}${rest}. See the status page, or npm run events -- list`,
  };
}

type AnyQueue = ConstructorParameters<typeof BullMQAdapter>[0];

function show(name: QueueName, queue: JobQueue): BullMQAdapter {
  // What was done is done: a batch is applied once, so that doing it again would change nothing.
  const options = { description: PURPOSES[name], allowCompletedRetries: false };
  // Its type is the Redis kind of queue; it asks nothing that the other kind has not.
  const shown = new BullMQAdapter(queue as unknown as AnyQueue, options);
  shown.setFormatter('data', shownData);
  shown.setFormatter('name', shownName);
  shown.setFormatter('returnValue', () => null);
  shown.setFormatter('progress', () => 0);
  return shown;
}

/** What operators may do, by the board's own routes. Everything else that changes something is not. */
const ACTIONS: Readonly<Record<string, string>> = {
  'PUT /api/queues/pause': 'pause all',
  'PUT /api/queues/resume': 'resume all',
  'PUT /api/queues/:queueName/pause': 'pause',
  'PUT /api/queues/:queueName/resume': 'resume',
  'PUT /api/queues/:queueName/retry/:queueStatus': 'retry all',
  'PUT /api/queues/:queueName/:jobId/retry': 'retry',
};

/** What a request does, as the log tells it. */
interface Action {
  action: string;
  queue?: string;
  job?: string;
}

/** @returns undefined for what is not allowed, and for what only reads */
function actionOf(request: FastifyRequest, prefix: string): Action | undefined {
  const { url = '' } = request.routeOptions;
  const action = ACTIONS[`${request.method} ${url.slice(prefix.length)}`];
  const { queueName, jobId, queueStatus } = request.params as Record<string, string | undefined>;
  if (!action || (queueStatus !== undefined && queueStatus !== 'failed')) return undefined;
  return { action, ...(queueName && { queue: queueName }), ...(jobId && { job: jobId }) };
}

/** A job's data names a batch; whatever else is in it is not for the board. */
function shownData(data: unknown): { batch_id?: string } {
  const { batch_id: batch } = (data ?? {}) as { batch_id?: unknown };
  return typeof batch === 'string' ? { batch_id: batch } : {};
}

/** The event's name, which is one of ours. */
function shownName({ name }: { name: string }): string {
  return name in EVENTS ? name : 'unknown';
}

const ERRORS = new Set(['failedReason', 'stacktrace', 'deferredFailure', 'logs']);

/**
 * An answer of the board in which the texts of errors, which it has no formatter for, went through
 * `clean`. Workers write them clean; a version before this one may not have.
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

/** Icons of what is refused here: adding, changing and removing jobs, and limits of a queue. */
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
 * The board's page without the buttons that would be refused, which it has no setting for, and without
 * the font that it would fetch from elsewhere. It is refused all the same where this hides nothing.
 */
function fitPage(html: string): string {
  return html
    .replace(/<link href="https:\/\/fonts\.googleapis\.com[^>]*>/, '')
    .replace('</head>', `${HIDE_REFUSED}</head>`);
}
