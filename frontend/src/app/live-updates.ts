import type { LiveTopic } from '@proveklar/gateway/contract/events.ts';
import type { QueryKey } from '@tanstack/react-query';
import { accountKeys } from '#features/account/keys.ts';
import { startLive } from '#lib/live.ts';
import { queryClient } from '#lib/query-client.ts';
import { getSession, onSessionChange } from '#lib/session.ts';

/** What a change makes out of date: the queries whose keys begin with these. */
const KEYS: Record<LiveTopic, readonly QueryKey[]> = {
  account: [accountKeys.all],
  statistics: [['statistics']],
  feedback: [['feedback']],
};

function readAgain(topic: LiveTopic | 'any') {
  // A gateway that is newer than this page may name what the page does not know.
  const keys = topic === 'any' ? Object.values(KEYS).flat() : (KEYS[topic] ?? []);
  for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
}

let listener: { uid: string; stop: () => void } | undefined;

function follow() {
  const uid = getSession().user?.uid;
  if (uid === listener?.uid) return;
  listener?.stop();
  listener = uid === undefined ? undefined : { uid, stop: startLive({ onChange: readAgain }) };
}

onSessionChange(follow);
follow();
