import { type RefObject, useEffect, useRef } from 'react';

/** For what appears by itself: on a small screen it could come below the edge, where nobody looks. */
export function useInSight<Shown extends HTMLElement>(): RefObject<Shown | null> {
  const shown = useRef<Shown>(null);
  useEffect(() => {
    // In braces: newer browsers return a promise, which is no clean-up.
    shown.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return shown;
}
