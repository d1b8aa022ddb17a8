import { useState } from 'react';

/** A stored value, unvalidated; null if there is none, or storage is blocked. */
export function read(key: string): string | null {
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
  const stored = read(key);
  return allowed.find((candidate) => candidate === stored);
}

/** A choice that is stored in this browser; where storage is blocked, it lasts as long as the page. */
export function useStored<Value extends string>(
  key: string,
  allowed: readonly Value[],
  fallback: Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => readStored(key, allowed) ?? fallback);
  function store(next: Value) {
    setValue(next);
    try {
      localStorage.setItem(key, next);
    } catch {
      // Storage is blocked or full: only the stored choice is lost.
    }
  }
  return [value, store];
}
