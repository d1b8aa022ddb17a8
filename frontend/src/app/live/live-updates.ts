import type { LiveTopic } from '@proveklar/contract/live-updates.ts';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { accountKeys } from '#features/account/api.ts';
import { purchaseKeys } from '#features/purchases/api.ts';
import { quizKeys } from '#features/quiz/api.ts';
import type { request } from '#lib/api-client.ts';
import { startLive } from './live.ts';
import type { getSession, onSessionChange } from '#lib/session.ts';
import { throttleEach } from '#lib/throttle.ts';

/** The summary counts all payments, so it is throttled: not read again for each payment that changes. */
const PAYMENTS_SUMMARY = ['admin', 'payments-summary'];
/** So does the first page of the portal, for each area; every page shows its counts. */
const PORTAL_HOME = ['admin', 'home'];
/** Ten mails of a message leave in a second. */
const MESSAGES = ['admin', 'messages'];
const THROTTLED = new Set<QueryKey>([PAYMENTS_SUMMARY, PORTAL_HOME, MESSAGES]);
const THROTTLE_MS = 5_000;

/** The prefixes of the query keys that a change in each topic makes stale. */
const KEYS: Record<LiveTopic, readonly QueryKey[]> = {
  // A corrected key changes results too.
  account: [accountKeys.all, purchaseKeys.all, quizKeys.lists()],
  // The keys of the portal's queries begin with `admin` and the area.
  statistics: [['admin', 'quality']],
  feedback: [['admin', 'feedback'], PORTAL_HOME],
  imports: [['admin', 'imports'], PORTAL_HOME],
  questions: [
    ['admin', 'questions'],
    ['admin', 'quality'],
    ['admin', 'bank-releases'],
    PORTAL_HOME,
  ],
  payments: [['admin', 'payments'], PAYMENTS_SUMMARY, PORTAL_HOME],
  messages: [MESSAGES],
};

export interface FollowedParts {
  queryClient: QueryClient;
  request: typeof request;
  getSession: typeof getSession;
  onSessionChange: typeof onSessionChange;
}

/**
 * Keeps the page's data up to date from now on, while a user is signed in.
 *
 * The parts are passed in, not imported: the bundler would split the entry chunk for an import, which
 * cost every visitor a kilobyte.
 */
export function keepUpToDate(parts: FollowedParts): void {
  const { queryClient, request, getSession, onSessionChange } = parts;

  const readAgain = (queryKey: QueryKey) => void queryClient.invalidateQueries({ queryKey });
  const readAgainThrottled = throttleEach(THROTTLE_MS, readAgain);

  function onChange(topic: LiveTopic | 'any') {
    // A gateway that is newer than this page may send an unknown topic.
    const keys = topic === 'any' ? Object.values(KEYS).flat() : (KEYS[topic] ?? []);
    for (const key of keys) (THROTTLED.has(key) ? readAgainThrottled : readAgain)(key);
  }

  let live: { uid: string; stop: () => void } | undefined;
  function follow() {
    const uid = getSession().user?.uid;
    if (uid === live?.uid) return;
    live?.stop();
    live = uid === undefined ? undefined : { uid, stop: startLive({ onChange, request }) };
  }
  onSessionChange(follow);
  follow();
}
