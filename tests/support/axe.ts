import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/**
 * Checks a page, as it stands now, by axe: WCAG 2.1 AA and what axe calls best practice. From then on
 * the page has reduced motion.
 *
 * @returns the violations, one line each; empty when there are none
 */
export async function findingsOf(page: Page): Promise<string[]> {
  // axe measures colours, so no transition may be under way. With reduced motion the product has none.
  // Animations without an end are not waited for.
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
