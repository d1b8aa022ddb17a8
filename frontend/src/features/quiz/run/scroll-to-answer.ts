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

/**
 * Where right or wrong and why are higher than their sheet, as with large text, they lie below the options
 * instead, with the buttons at their end: who reads on to "next" has seen everything. They stay there: moving
 * them back would take the text away from its reader.
 *
 * @returns whether they have moved now
 */
export function fitSheet(sheet: HTMLElement): boolean {
  if (sheet.dataset['flows'] !== undefined) return false;
  const parts = [...sheet.querySelectorAll(':scope > :is(:first-child, aside, p)')];
  const bottoms = parts.map((part) => part.getBoundingClientRect().bottom + sheet.scrollTop);
  const box = sheet.getBoundingClientRect();
  // Fractions of a pixel, at a zoom.
  if (Math.max(...bottoms) <= box.bottom + 1) return false;
  sheet.dataset['flows'] = '';
  return true;
}

/** Below the lowest area of a picture, in pixels: the edge of the sheet is not on its line. */
const AREA_MARGIN = 16;

/** Scrolls to a sheet that lies below the options, and else by `distanceTo`: it then covers as little as possible. */
export function scrollToAnswer(sheet: HTMLElement): void {
  const { scrollPaddingTop } = getComputedStyle(document.documentElement);
  const roomTop = Number.parseFloat(scrollPaddingTop) || 0;
  const { top } = sheet.getBoundingClientRect();
  if (sheet.dataset['flows'] !== undefined) {
    window.scrollBy({ top: top - roomTop });
    return;
  }
  const room = { top: roomTop, bottom: top };
  // What the explanation says of "number 3" is seen in the picture, and not in the question above it.
  const areas = judged('data-area').map((area) => area.getBoundingClientRect());
  if (areas.length > 0) {
    const bottom = Math.max(...areas.map((area) => area.bottom)) + AREA_MARGIN;
    const first = Math.min(...areas.map((area) => area.top));
    window.scrollBy({ top: distanceTo({ bottom }, { top: first }, room) });
    return;
  }
  const heading = document.querySelector('main h1');
  const last = judged('data-look').at(-1);
  if (!heading || !last) return;
  // With why it is wrong.
  const options = last.parentElement!.getBoundingClientRect();
  window.scrollBy({ top: distanceTo(options, heading.getBoundingClientRect(), room) });
}

const judged = (attribute: 'data-area' | 'data-look') =>
  [...document.querySelectorAll(`main [${attribute}]`)].filter((option) =>
    ['right', 'wrong', 'key'].includes(option.getAttribute(attribute)!),
  );
