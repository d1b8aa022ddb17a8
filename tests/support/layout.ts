import type { Page } from 'playwright-core';

/** The narrowest screen that is supported, and one of 1280 × 900 at 200 % zoom. */
const SIZES = [
  { name: '320 px', width: 320, height: 640 },
  { name: '200 %', width: 640, height: 450 },
];

/** The longest animation allowed with reduced motion, in milliseconds. Transitions are not allowed. */
const MAX_ANIMATION_MS = 10;

/** Names an element so that it can be found again: its tag, classes and the beginning of its text. */
const NAME_OF = `
  const nameOf = (element) => {
    const classes = [...element.classList].map((name) => '.' + name).join('');
    return element.localName + classes + ' "' + element.textContent.trim().slice(0, 40) + '"';
  };`;

const CUT_OFF = `(() => {
  ${NAME_OF}
  const found = [];
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth) found.push('scrolls sideways: ' + root.scrollWidth);
  const dialog = document.querySelector('dialog[open]');
  if (dialog) {
    const { top, bottom } = dialog.getBoundingClientRect();
    if (top < -1 || bottom > innerHeight + 1) found.push('the dialog is beyond the screen: ' + top + ' ' + bottom);
  }
  let pinned = 0;
  const beyond = [];
  for (const element of (dialog ?? document.body).querySelectorAll('*')) {
    // For screen readers only, or shown only while it has the focus.
    if (element.closest('svg *, .ds-sr-only, .ds-skip-link')) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    const { overflowX, overflowY, position } = getComputedStyle(element);
    if (right > innerWidth + 1 || left < -1) {
      const scrolls = (one) => /auto|scroll/.test(getComputedStyle(one).overflowX);
      let around = element.parentElement;
      while (around && !scrolls(around)) around = around.parentElement;
      // Only the last ones are reported: those are the innermost, which are the cause.
      if (!around) beyond.push(nameOf(element));
    }
    const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
    // An option that was not chosen is whole on a tap.
    if (element.textContent.trim() !== '' && !element.closest('[data-look="other"]')) {
      const isCut =
        (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
        (hides(overflowY) && element.scrollHeight > element.clientHeight + 1);
      if (isCut) found.push('cut off: ' + nameOf(element));
    }
    const isPinned = position === 'fixed' || position === 'sticky';
    if (isPinned && width > innerWidth / 2 && (top <= 0 || bottom >= innerHeight)) {
      // What scrolls inside of it is read there, and is no bar: the feedback on an answer.
      const read = [...element.querySelectorAll('*')].find((one) => /auto|scroll/.test(getComputedStyle(one).overflowY));
      pinned += height - (read ? read.clientHeight : 0);
    }
  }
  found.push(...beyond.slice(-3).map((name) => 'beyond the edge: ' + name));
  if (pinned > innerHeight * 0.6) found.push('bars leave too little room: ' + pinned);
  return found;
})()`;

/** Texts that lie upon each other. What is pinned to an edge lies above what scrolls below it. */
const OVERLAPPING = `(() => {
  ${NAME_OF}
  const layerOf = (element) => {
    let layer = element;
    while (layer && !/fixed|sticky/.test(getComputedStyle(layer).position)) layer = layer.parentElement;
    return layer;
  };
  /** What is in sight of the box inside the ancestors that hide or scroll what is beyond their edges. */
  const clipped = (element, box) => {
    for (let around = element; around; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const edge = around.getBoundingClientRect();
      box.left = Math.max(box.left, edge.left);
      box.right = Math.min(box.right, edge.right);
      box.top = Math.max(box.top, edge.top);
      box.bottom = Math.min(box.bottom, edge.bottom);
    }
    return box;
  };
  const boxes = [];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const element = nodes.currentNode.parentElement;
    if (nodes.currentNode.data.trim() === '') continue;
    if (element.closest('svg, script, style, .ds-sr-only, .ds-skip-link')) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.getBoundingClientRect().width <= 1) continue;
    const range = document.createRange();
    range.selectNodeContents(nodes.currentNode);
    for (const { left, right, top, bottom, height } of range.getClientRects()) {
      // Without the room above and below the letters, which lines of a heading share.
      const letters = { left, right, top: top + height / 4, bottom: bottom - height / 4 };
      boxes.push({ element, layer: layerOf(element), ...clipped(element, letters) });
    }
  }
  return boxes.flatMap((one, n) =>
    boxes.slice(n + 1).flatMap((other) => {
      if (one.element === other.element || one.layer !== other.layer) return [];
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      return width > 1 && height > 1 ? ['upon each other: ' + nameOf(one.element) + ', ' + nameOf(other.element)] : [];
    }),
  );
})()`;

/** Doubles the text, and nothing else, as a browser's own setting does. An initial script of a page. */
export const DOUBLE_TEXT = `addEventListener('DOMContentLoaded', () => {
  document.documentElement.style.fontSize = '200%';
})`;

/**
 * Resolves when the page has the given size. A busy browser changes `dvh` some frames after the window.
 * Media query listeners have been called by then: in a frame they run before resize observers.
 */
const resized = ({ width, height }: { width: number; height: number }) => `new Promise((done) => {
  const probe = document.createElement('div');
  probe.style.cssText = 'position: fixed; width: 0; height: 100dvh';
  document.body.append(probe);
  const check = () => {
    const is = [innerWidth, innerHeight, probe.offsetHeight];
    if (is.join() !== '${width},${height},${height}') return;
    removeEventListener('resize', check);
    observer.disconnect();
    probe.remove();
    done();
  };
  const observer = new ResizeObserver(check);
  addEventListener('resize', check);
  observer.observe(probe);
})`;

const MOVES = `(() => {
  ${NAME_OF}
  const longest = (times) =>
    Math.max(...times.split(',').map((time) => parseFloat(time) * (/ms/.test(time) ? 1 : 1000)));
  const found = [];
  for (const element of document.querySelectorAll('*')) {
    const pseudos = element.localName === 'dialog' ? ['::backdrop'] : [];
    for (const pseudo of [null, '::before', '::after', ...pseudos]) {
      const style = getComputedStyle(element, pseudo);
      const moves =
        (style.animationName !== 'none' && longest(style.animationDuration) > ${MAX_ANIMATION_MS}) ||
        (style.transitionProperty !== 'none' && longest(style.transitionDuration) > 0);
      if (moves) found.push('moves: ' + nameOf(element) + (pseudo ?? ''));
      if (pseudo === null && style.scrollBehavior === 'smooth') {
        found.push('scrolls smoothly: ' + nameOf(element));
      }
    }
  }
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime > ${MAX_ANIMATION_MS}) found.push('moves: a script');
  }
  return found;
})()`;

/**
 * Finds what cannot be read of a page, as it stands now, on a narrow or magnified screen, one line each:
 * sideways scrolling, text that is cut off, bars that cover the page. Restores the size afterwards.
 *
 * The page must be opened with reduced motion: without transitions it has its new layout as soon as it
 * has its size.
 */
export async function layoutFaultsOf(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  const faults: string[] = [];
  for (const { name, ...size } of SIZES) {
    await page.setViewportSize(size);
    await page.evaluate(resized(size));
    const found = await page.evaluate<string[]>(CUT_OFF);
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  }
  if (before) await page.setViewportSize(before);
  return faults;
}

/** What cannot be read of a page of its present size, or lies upon other text, one line each. */
export async function overlapsOf(page: Page): Promise<string[]> {
  return [
    ...(await page.evaluate<string[]>(CUT_OFF)),
    ...(await page.evaluate<string[]>(OVERLAPPING)),
  ];
}

/** What moves on a page with reduced motion, one line each. */
export function motionFaultsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(MOVES);
}
