import { type RefObject, useEffect, useRef } from 'react';
import { focusHeading } from './focus-heading.ts';

/** A new step is a new page to those who hear it; the first one is announced by the navigation. */
export function useHeadingFocus(step: string): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) focusHeading();
    shown.current = step;
  }, [step]);
}

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
