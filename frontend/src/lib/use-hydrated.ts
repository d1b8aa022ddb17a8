import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Whether this page's code has taken over what the gateway sent. Until then a part that only this
 * browser knows of must be left out, and a form must not be sent: nobody would hear of it.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
