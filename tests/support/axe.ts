import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/**
 * What axe finds on a page as it stands now, one line each; empty when there is nothing. WCAG 2.1 AA
 * and what axe calls good practice. From then on the page is one with reduced motion.
 */
export async function findingsOf(page: Page): Promise<string[]> {
  // Colours are measured, so nothing may be half-way in, nor begin to change between two of axe's rules:
  // with reduced motion the product has no transitions. An animation without end is not waited for.
  await page.emulateMedia({ reducedMotion: 'reduce' });
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
