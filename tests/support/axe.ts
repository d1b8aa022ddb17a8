import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/**
 * What axe finds on a page as it stands now, one line each; empty when there is nothing. WCAG 2.1 AA
 * and what axe calls good practice.
 */
export async function findingsOf(page: Page): Promise<string[]> {
  const found = await look(page);
  // On a slow machine something may only begin to change colour after the first look has begun.
  return found.length === 0 ? found : look(page);
}

async function look(page: Page): Promise<string[]> {
  // Colours are measured, so nothing may be half-way in. What turns for ever is not waited for.
  await page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished),
  )`);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  );
}
