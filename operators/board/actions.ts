import type { FastifyRequest } from 'fastify';

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
export interface Action {
  action: string;
  queue?: string;
  job?: string;
}

/** @returns undefined for what is not allowed, and for what only reads */
export function actionOf(request: FastifyRequest, prefix: string): Action | undefined {
  const { url = '' } = request.routeOptions;
  const action = ACTIONS[`${request.method} ${url.slice(prefix.length)}`];
  const { queueName, jobId, queueStatus } = request.params as Record<string, string | undefined>;
  if (!action || (queueStatus !== undefined && queueStatus !== 'failed')) return undefined;
  return { action, ...(queueName && { queue: queueName }), ...(jobId && { job: jobId }) };
}
