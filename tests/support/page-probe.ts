import type { Page } from 'playwright-core';
import { expect } from 'vitest';

// As text, because it runs in the page: the tests are compiled for Node, which has no document.
// Modules run after the document is read, and this is before them.
const PROBE = `
  window.seen = { marked: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.seen.shift += entry.value;
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

/** Marks, in every page opened from now on, the nodes that came from the server. */
export async function observe(page: Page): Promise<void> {
  await page.addInitScript(PROBE);
}

export interface Seen {
  /** How many nodes came from the server, how many of them are still there, and how many there are. */
  marked: number;
  kept: number;
  nodes: number;
  /** The sum of all layout shifts. */
  shift: number;
}

/** What happened to the page since it was opened. */
export function seenBy(page: Page): Promise<Seen> {
  return page.evaluate<Seen>(REPORT);
}

/** Resolves when React has taken the node over: from then on it keeps what it knows of it there. */
export async function takenOver(page: Page, selector: string): Promise<void> {
  const node = `document.querySelector('${selector}') ?? {}`;
  const taken = `Object.keys(${node}).some((key) => key.startsWith('__reactProps'))`;
  // Not by `waitForFunction`, for which the page would have to allow `eval`.
  await expect.poll(() => page.evaluate(taken)).toBe(true);
}
