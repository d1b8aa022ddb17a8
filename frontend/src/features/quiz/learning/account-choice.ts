import { useEffect, useEffectEvent } from 'react';
import { getSession } from '#lib/session.ts';
import { readStored, readText, storeText, useStoredText } from '#lib/use-stored.ts';

type AccountChoice<Value extends string> = {
  /** Where this browser stores a choice that the account does not have yet, before the learner's uid. */
  key: string;
  uid: string;
  allowed: readonly Value[];
  /** What the account has; undefined until it is read. */
  current: Value | null | undefined;
  send: (value: Value) => Promise<unknown>;
};

/**
 * A choice of the learner that is part of the account. It applies at once, and is stored in this browser until
 * the account has it: it may have been made offline, or before accounts had it. A browser may be shared: it is
 * sent only as its learner.
 */
export function useAccountChoice<Value extends string>(choice: AccountChoice<Value>) {
  const { key, uid, allowed, current } = choice;
  const ownKey = `${key}.${uid}`;
  const stored = useStoredText(ownKey);
  const unsent = allowed.find((candidate) => candidate === stored);

  async function send(value: Value) {
    // Another account may have signed in in another tab.
    if (getSession().user?.uid !== uid) return;
    try {
      await choice.send(value);
    } catch {
      // The caller's mutation has the error; the choice is sent again at the next visit.
      return;
    }
    // Also after the page is left, but not a choice that was made meanwhile.
    if (readText(ownKey) === value) storeText(ownKey, null);
  }
  function choose(value: Value) {
    storeText(ownKey, value);
    void send(value);
  }
  const takeOver = useEffectEvent(() => {
    // From before accounts had it, when it was this browser's: it becomes the choice of the first learner.
    const earlier = readStored(key, allowed);
    storeText(key, null);
    if (unsent !== undefined) void send(unsent);
    else if (earlier !== undefined) choose(earlier);
  });
  const isRead = current !== undefined;
  useEffect(() => {
    // Once: later choices are sent when they are made.
    if (isRead) takeOver();
  }, [isRead]);

  return { value: unsent ?? current ?? undefined, choose };
}
