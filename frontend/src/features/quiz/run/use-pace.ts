import { useEffect, useEffectEvent, useState } from 'react';

/** So long a choice is seen before the next question comes, where nothing else is said of it. */
const CHOSEN_MS = 280;
/**
 * So long a question that came by itself takes nothing: half of a double tap was not meant for it, nor
 * was a correction of the answer before that came a little too late.
 */
const UNREAD_MS = 600;

/** Calls `then` so long after `since` has become another one; never while it is undefined. */
function useAfter(ms: number, since: unknown, then: () => void) {
  const call = useEffectEvent(then);
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = setTimeout(() => call(), ms);
    return () => clearTimeout(timer);
  }, [ms, since]);
}

/** Shows a choice for a moment, then calls `goOn`; not after `drop`, nor while it is not `enabled`. */
export function useChosenMoment(enabled: boolean, goOn: () => void) {
  // An object for each choice: whoever changes it meanwhile sees the new one as long.
  const [chosen, setChosen] = useState<object>();
  useAfter(CHOSEN_MS, enabled ? chosen : undefined, () => {
    setChosen(undefined);
    goOn();
  });
  return { show: () => setChosen({}), drop: () => setChosen(undefined) };
}

/** Which question has only just come by itself, and cannot have been read. */
export function useUnread() {
  const [unread, setUnread] = useState<string>();
  useAfter(UNREAD_MS, unread, () => setUnread(undefined));
  return [unread, setUnread] as const;
}
