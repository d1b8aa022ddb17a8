import { useEffect, useEffectEvent, useState } from 'react';
import { readStored } from '#lib/use-stored.ts';

type AccountChoice<Value extends string> = {
  /** Where this browser stores a choice that the account does not have yet. */
  key: string;
  allowed: readonly Value[];
  /** What the account has; undefined until it is read. */
  current: Value | null | undefined;
  send: (value: Value, options: { onSuccess: () => void }) => void;
};

/**
 * A choice of the learner that is part of the account. It applies at once, and is stored in this browser until
 * the account has it: it may have been made offline, or before accounts had it.
 */
export function useAccountChoice<Value extends string>(choice: AccountChoice<Value>) {
  const { key, allowed, current } = choice;
  const [unsent, setUnsent] = useState(() => readStored(key, allowed));

  function forget(sent: Value) {
    // Not a choice that was made meanwhile.
    setUnsent((latest) => (latest === sent ? undefined : latest));
    if (readStored(key, allowed) === sent) store(key, null);
  }
  function send(value: Value) {
    choice.send(value, { onSuccess: () => forget(value) });
  }
  function choose(value: Value) {
    setUnsent(value);
    store(key, value);
    send(value);
  }
  const takeOver = useEffectEvent(() => {
    if (unsent !== undefined) send(unsent);
  });
  const isRead = current !== undefined;
  useEffect(() => {
    // Once: later choices are sent when they are made.
    if (isRead) takeOver();
  }, [isRead]);

  return { value: unsent ?? current ?? undefined, choose };
}

function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage is blocked or full: the choice lasts as long as the page.
  }
}
