import { type RefObject, useEffect, useRef } from 'react';

/** For what a button shows out of sight: leads there, eyes and focus, once it is shown. */
export function useLeadTo<Heading extends HTMLElement>(shown: boolean): RefObject<Heading | null> {
  const heading = useRef<Heading>(null);
  useEffect(() => {
    if (!shown) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }, [shown]);
  return heading;
}
