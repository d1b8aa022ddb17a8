import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { focusHeading } from './focus-heading.ts';

/** Focuses the heading of each new step, for screen readers; the navigation announces the first step. */
export function useHeadingFocus(step: string): void {
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) focusHeading();
    shown.current = step;
  }, [step]);
}

/** The items of an `ol` or `ul`, or the rows of the table in another element. */
function itemsIn(list: HTMLElement | null): readonly HTMLElement[] {
  if (!list) return [];
  const items = list.matches('ol, ul') ? ':scope > li' : 'tr[data-row]';
  return [...list.querySelectorAll<HTMLElement>(items)];
}

function focusItem(item: HTMLElement): void {
  const link = item.querySelector('a');
  if (link) return link.focus();
  item.tabIndex = -1;
  item.focus();
}

/**
 * For a list with a "Show more" button: loads more, then focuses the first item that the list has got, because
 * the button may have disappeared. Focuses the item's link if it has one.
 */
export function useShowMore<List extends HTMLElement>(load: () => Promise<{ isError: boolean }>) {
  const list = useRef<List>(null);
  // A new object each time: another list may have as many items.
  const [grown, setGrown] = useState<{ from: number }>();
  // Before the page notices that nothing has the focus.
  useLayoutEffect(() => {
    const first = grown && itemsIn(list.current)[grown.from];
    if (first) focusItem(first);
  }, [grown]);

  async function showMore() {
    const from = itemsIn(list.current).length;
    const { isError } = await load();
    if (!isError) setGrown({ from });
  }
  return { list, showMore: () => void showMore() };
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
