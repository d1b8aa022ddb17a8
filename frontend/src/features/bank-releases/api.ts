import type {
  BankReleasePlan,
  BankReleasesResponse,
  BankReleaseWork,
} from '@proveklar/contract/bank-releases.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api-client.ts';
import { BANK_RELEASES } from '#lib/question-areas.ts';

export const releaseKeys = {
  list: () => [...BANK_RELEASES, 'list'] as const,
  // Outside what live updates invalidate: it compares the whole bank.
  plan: () => ['admin', 'bank-release-plan'] as const,
};

/** What the release of this version would change. */
export const planQuery = queryOptions({
  queryKey: releaseKeys.plan(),
  queryFn: ({ signal }) =>
    api<BankReleasePlan>('/admin/bank-releases/plan', { signedIn: true, signal }),
});

/** A fallback for live updates, which come more often. */
const POLL_INTERVAL_MS = 2_000;

/** The releases that were applied, polled while one is applied or undone. */
export const releasesQuery = queryOptions({
  queryKey: releaseKeys.list(),
  queryFn: ({ signal }) =>
    api<BankReleasesResponse>('/admin/bank-releases', { signedIn: true, signal }),
  refetchInterval: ({ state }) =>
    state.data?.work?.state === 'running' ? POLL_INTERVAL_MS : false,
});

/** Requests that the release of this version is applied; 409 `bank_release_changed` if it is another than `release`. */
export function applyRelease(release: string): Promise<BankReleaseWork> {
  return api('/admin/bank-releases', { method: 'POST', signedIn: true, body: { release } });
}

/** Requests that the last release is undone. */
export function undoRelease(id: string): Promise<BankReleaseWork> {
  return api(`/admin/bank-releases/${id}/undo`, { method: 'POST', signedIn: true });
}
