import { type RefObject, useEffect, useRef } from 'react';
import { focusHeading } from './focus-heading.ts';

/** Focuses the heading of each new step, for screen readers; the navigation announces the first step. */
export function useHeadingFocus(step: string): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) focusHeading();
    shown.current = step;
  }, [step]);
}

/** Scrolls to and focuses a heading, once a button has shown it out of sight. */
export function useLeadTo<Heading extends HTMLElement>(shown: boolean): RefObject<Heading | null> {
  const heading = useRef<Heading>(null);
  useEffect(() => {
    if (!shown) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }, [shown]);
  return heading;
}
