import type {
  DismissEventsRequest,
  OperationsResponse,
  PauseQueueRequest,
  RejectedEventsResponse,
  RetryEventsRequest,
} from '@proveklar/contract/operations.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

export const operationsKeys = {
  all: ['admin', 'operations'] as const,
  status: ['admin', 'operations', 'status'] as const,
  events: ['admin', 'operations', 'events'] as const,
};

/** A worker writes a new status as often. */
const POLL_INTERVAL_MS = 10_000;

/** The status of the service, its queues and its backups. */
export const operationsQuery = queryOptions({
  queryKey: operationsKeys.status,
  queryFn: ({ signal }) => api<OperationsResponse>('/admin/operations', { signedIn: true, signal }),
  refetchInterval: POLL_INTERVAL_MS,
});

/** The events that no worker could process. */
export const rejectedEventsQuery = queryOptions({
  queryKey: operationsKeys.events,
  queryFn: ({ signal }) =>
    api<RejectedEventsResponse>('/admin/rejected-events', { signedIn: true, signal }),
  refetchInterval: POLL_INTERVAL_MS,
});

/** Pauses or resumes a queue. */
export function pauseQueue(queue: string, body: PauseQueueRequest): Promise<unknown> {
  const path = `/admin/queues/${encodeURIComponent(queue)}` as const;
  return api(path, { method: 'PUT', body, signedIn: true });
}

/** Hands rejected events to their queues again. */
export function retryEvents(body: RetryEventsRequest): Promise<unknown> {
  return api('/admin/rejected-events/retry', { method: 'POST', body, signedIn: true });
}

/** Closes rejected events that are not needed. */
export function dismissEvents(body: DismissEventsRequest): Promise<unknown> {
  return api('/admin/rejected-events/dismiss', { method: 'POST', body, signedIn: true });
}
