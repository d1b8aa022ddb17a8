/**
 * How far to scroll to show the judged options with the question above them. Where not both have room, the
 * question stays, or comes back, because the sheet repeats the options. All values are in pixels from the top
 * of the window.
 *
 * @param room the space between the bars at the top and the bottom
 */
export function distanceTo(
  options: { bottom: number },
  heading: { top: number },
  room: { top: number; bottom: number },
): number {
  const whole = options.bottom - room.bottom;
  const withHeading = heading.top - room.top;
  return Math.min(Math.max(0, whole), withHeading);
}

/** Scrolls by `distanceTo`, so that the sheet with the feedback covers as little as possible. */
export function scrollToAnswer(sheet: Element): void {
  const heading = document.querySelector('main h1');
  const judged = [...document.querySelectorAll('main [data-look]')].filter((option) =>
    ['right', 'wrong', 'key'].includes(option.getAttribute('data-look')!),
  );
  const last = judged.at(-1);
  if (!heading || !last) return;
  const { scrollPaddingTop } = getComputedStyle(document.documentElement);
  window.scrollBy({
    // With why it is wrong.
    top: distanceTo(last.parentElement!.getBoundingClientRect(), heading.getBoundingClientRect(), {
      top: Number.parseFloat(scrollPaddingTop) || 0,
      bottom: sheet.getBoundingClientRect().top,
    }),
  });
}
