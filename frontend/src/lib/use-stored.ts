import { useState } from 'react';

/** What this browser has stored, whatever it is; null where it has nothing, or storage is blocked. */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** A choice that this browser remembers, if it is one of these. */
export function readStored<Value extends string>(
  key: string,
  allowed: readonly Value[],
): Value | undefined {
  const stored = read(key);
  return allowed.find((candidate) => candidate === stored);
}

/** A choice that this browser remembers. Where storage is blocked it lasts as long as the page. */
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
      // Blocked or full: nothing is lost but the memory of the choice.
    }
  }
  return [value, store];
}
