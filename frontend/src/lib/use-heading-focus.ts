import { useEffect, useRef } from 'react';
import { focusHeading } from '#lib/focus-heading.ts';

/** A new step is a new page to those who hear it; the first one is announced by the navigation. */
export function useHeadingFocus(step: string): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) focusHeading();
    shown.current = step;
  }, [step]);
}
