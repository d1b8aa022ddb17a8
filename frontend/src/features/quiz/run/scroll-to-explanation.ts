/**
 * How far to scroll down for an explanation: as far as it needs, but the whole question stays in sight,
 * however little of the explanation is seen then. All in pixels from the top of the window.
 *
 * @param room between the bars at the top and the bottom
 */
export function distanceTo(
  explanation: { bottom: number },
  heading: { top: number },
  room: { top: number; bottom: number },
): number {
  const whole = explanation.bottom - room.bottom;
  const withHeading = heading.top - room.top;
  return Math.max(0, Math.min(whole, withHeading));
}

/** Scrolls as far. The bars are where the page's scroll padding keeps room for them. */
export function scrollToExplanation(box: Element | null): void {
  const heading = document.querySelector('main h1');
  if (!box || !heading) return;
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  window.scrollBy({
    top: distanceTo(box.getBoundingClientRect(), heading.getBoundingClientRect(), {
      top: Number.parseFloat(scrollPaddingTop) || 0,
      bottom: window.innerHeight - (Number.parseFloat(scrollPaddingBottom) || 0),
    }),
  });
}
