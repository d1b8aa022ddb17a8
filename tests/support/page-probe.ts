import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';

// A string, because it runs in the page: the tests are type-checked for Node, which has no document.
// Modules run after the document is parsed, and this runs before them.
const PROBE = `
  window.seen = { marked: 0, shift: 0, since: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime, value } of list.getEntries())
      if (startTime >= window.seen.since) window.seen.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  document.addEventListener('readystatechange', () => {
    if (document.readyState !== 'interactive') return;
    for (const node of document.querySelectorAll('#root *')) {
      node.fromServer = true;
      window.seen.marked += 1;
    }
  });
`;

const REPORT = `(() => {
  const nodes = Array.from(document.querySelectorAll('#root *'));
  const kept = nodes.filter((node) => node.fromServer).length;
  return { ...window.seen, nodes: nodes.length, kept };
})()`;

/** Marks the nodes that came from the server, in every page opened from now on. */
export async function observe(page: Page): Promise<void> {
  await page.addInitScript(PROBE);
}

const FONT_IS_LOADED = `Array.from(document.fonts).some(({ status }) => status === 'loaded')`;
const FORGET_SHIFTS = `new Promise((painted) => {
  requestAnimationFrame(() => requestAnimationFrame(painted));
}).then(() => {
  Object.assign(window.seen, { shift: 0, since: performance.now() });
})`;

/**
 * Opens a page that is observed. Its scripts arrive when its font is painted: a font that is late moves texts, whatever
 * the scripts do. Resolves when the network is idle.
 */
export async function gotoAfterFont(page: Page, url: string): Promise<void> {
  const { promise: scriptsMayCome, resolve: letScriptsCome } = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await scriptsMayCome;
    await route.continue();
  };
  await page.route('**/assets/*.js', hold);
  await page.goto(url, { waitUntil: 'commit' });
  await expect.poll(() => page.evaluate(FONT_IS_LOADED)).toBe(true);
  await page.evaluate(FORGET_SHIFTS);
  letScriptsCome();
  await page.waitForLoadState('networkidle');
}

export interface Seen {
  /** How many nodes came from the server, how many of them are left, and how many there are now. */
  marked: number;
  kept: number;
  nodes: number;
  /** The sum of all layout shifts; after `gotoAfterFont`, of those since the font was painted. */
  shift: number;
}

/** What has happened to the page since it was opened. */
export function readProbe(page: Page): Promise<Seen> {
  return page.evaluate<Seen>(REPORT);
}

/** Resolves when React has hydrated the node: from then on it stores the node's props there. */
export async function hydrated(page: Page, selector: string): Promise<void> {
  const node = `document.querySelector('${selector}') ?? {}`;
  const taken = `Object.keys(${node}).some((key) => key.startsWith('__reactProps'))`;
  // Not `waitForFunction`: the page's content security policy would have to allow `eval`.
  await expect.poll(() => page.evaluate(taken)).toBe(true);
}
