import type { AuditEntry, AuditResponse } from '@proveklar/contract/audit.ts';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';

export type AuditFilter = {
  action?: string | undefined;
  actor?: string | undefined;
  /** The subject of the action, such as a payment's id. */
  subject?: string | undefined;
  /** The first and the last day, as `2026-03-14`. */
  from?: string | undefined;
  to?: string | undefined;
  /** Part of the subject, the administrator, the details, or the action in words. */
  search?: string | undefined;
};

/** A filter, and the actions whose words its search finds. */
export type AuditRequest = AuditFilter & { search_actions?: string | undefined };

const auditKeys = {
  all: ['admin', 'audit'] as const,
  list: (filter: AuditRequest) => [...auditKeys.all, 'list', filter] as const,
};

/** The actions of administrators, the newest first, 50 at a time. */
export function auditQuery(filter: AuditRequest) {
  return infiniteQueryOptions({
    queryKey: auditKeys.list(filter),
    queryFn: ({ pageParam, signal }) => readPage(filter, { before: pageParam, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_before }) => next_before,
    placeholderData: keepPreviousData,
    // Always fresh, because it is read to see what has just been done.
    staleTime: 0,
  });
}

type Page = { before: string; limit?: number; export?: true; signal?: AbortSignal };

function readPage(filter: AuditRequest, { signal, ...page }: Page): Promise<AuditResponse> {
  // The address may have other parameters, such as `lng`, which the API refuses.
  const { action, actor, subject, from, to, search: part, search_actions } = filter;
  const wanted = { action, actor, subject, from, to, search: part, search_actions, ...page };
  const given = Object.entries(wanted).flatMap(([name, value]) =>
    value ? [[name, String(value)]] : [],
  );
  const search = new URLSearchParams(given);
  return api(`/admin/audit?${search.toString()}`, { signedIn: true, ...(signal && { signal }) });
}

/** All entries of a filter, for a file. */
export async function readAllEntries(filter: AuditRequest): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let before: string | null = ''; before !== null;) {
    const page: AuditResponse = await readPage(filter, { before, limit: 1000, export: true });
    entries.push(...page.entries);
    before = page.next_before;
  }
  return entries;
}
