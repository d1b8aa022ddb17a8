import type { LiveTopic } from '@proveklar/contract/events.ts';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { accountKeys } from '#features/account/api.ts';
import { purchaseKeys } from '#features/purchases/api.ts';
import { quizKeys } from '#features/quiz/api.ts';
import type { request } from '#lib/api-client.ts';
import { startLive } from '#lib/live.ts';
import type { getSession, onSessionChange } from '#lib/session.ts';
import { throttleEach } from '#lib/throttle.ts';

/** Counts all payments there are, which is not to be done anew for each that changes. */
const PAYMENTS_SUMMARY = ['admin', 'payments-summary'];
const THROTTLE_MS = 5_000;

/** What a change makes out of date: the queries whose keys begin with these. */
const KEYS: Record<LiveTopic, readonly QueryKey[]> = {
  // A corrected key changes results too.
  account: [accountKeys.all, purchaseKeys.all, quizKeys.lists()],
  // What an administrator's screens read has the area's name behind `admin`.
  statistics: [['admin', 'quality']],
  feedback: [['admin', 'feedback']],
  imports: [['admin', 'imports']],
  questions: [
    ['admin', 'questions'],
    ['admin', 'quality'],
  ],
  payments: [['admin', 'payments'], PAYMENTS_SUMMARY],
};

export interface FollowedParts {
  queryClient: QueryClient;
  request: typeof request;
  getSession: typeof getSession;
  onSessionChange: typeof onSessionChange;
}

/**
 * From now on keeps what is shown up to date while somebody is signed in.
 *
 * The parts are handed over and not imported: the bundler would cut the first page's code into more
 * files for it, which cost every visitor a kilobyte.
 */
export function keepUpToDate(parts: FollowedParts): void {
  const { queryClient, request, getSession, onSessionChange } = parts;

  const readAgain = (queryKey: QueryKey) => void queryClient.invalidateQueries({ queryKey });
  const readAgainThrottled = throttleEach(THROTTLE_MS, readAgain);

  function onChange(topic: LiveTopic | 'any') {
    // A gateway that is newer than this page may name what the page does not know.
    const keys = topic === 'any' ? Object.values(KEYS).flat() : (KEYS[topic] ?? []);
    for (const key of keys) (key === PAYMENTS_SUMMARY ? readAgainThrottled : readAgain)(key);
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
