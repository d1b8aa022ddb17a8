import { useSyncExternalStore } from 'react';

/** Used where storage is blocked or full; it lasts as long as the page. */
const memory = new Map<string, string>();
const listeners = new Set<() => void>();

/** A stored value, unvalidated; null if there is none. */
export function readText(key: string): string | null {
  const remembered = memory.get(key);
  if (remembered !== undefined) return remembered;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** A stored choice, if it is one of the allowed values. */
export function readStored<Value extends string>(
  key: string,
  allowed: readonly Value[],
): Value | undefined {
  const stored = readText(key);
  return allowed.find((candidate) => candidate === stored);
}

/** Stores a value, or removes it with null; every part that shows it follows. */
export function storeText(key: string, value: string | null): void {
  memory.delete(key);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    if (value !== null) memory.set(key, value);
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab has stored something.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** A stored value; null while the gateway's page is hydrated, which was rendered without this browser's storage. */
export function useStoredText(key: string): string | null {
  return useSyncExternalStore(
    subscribe,
    () => readText(key),
    () => null,
  );
}

/** A choice that is stored in this browser. */
export function useStored<Value extends string>(
  key: string,
  allowed: readonly Value[],
  fallback: Value,
): [Value, (value: Value) => void] {
  const stored = useStoredText(key);
  const value = allowed.find((candidate) => candidate === stored) ?? fallback;
  return [value, (next) => storeText(key, next)];
}
