import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Whether the page is hydrated. Until then, parts that depend on this browser must be left out, and a form
 * must not be submitted, because no code would handle it.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
