import type { AuditResponse } from '@proveklar/contract/audit.ts';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

export type AuditFilter = {
  action?: string | undefined;
  actor?: string | undefined;
  /** The subject of the action, such as a payment's id. */
  subject?: string | undefined;
};

const auditKeys = {
  all: ['admin', 'audit'] as const,
  list: (filter: AuditFilter) => [...auditKeys.all, 'list', filter] as const,
};

/** The actions of administrators, the newest first, 50 at a time. */
export function auditQuery(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: auditKeys.list(filter),
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams();
      if (filter.action) search.set('action', filter.action);
      if (filter.actor) search.set('actor', filter.actor);
      if (filter.subject) search.set('subject', filter.subject);
      if (pageParam) search.set('before', pageParam);
      return api<AuditResponse>(`/admin/audit?${search.toString()}`, { signedIn: true, signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next_before }) => next_before,
    placeholderData: keepPreviousData,
    // Always fresh, because it is read to see what has just been done.
    staleTime: 0,
  });
}
