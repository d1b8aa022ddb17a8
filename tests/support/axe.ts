import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const OPTIONS: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
  // Of what passes, axe would else describe every element.
  resultTypes: ['violations'],
};

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
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(document, ${JSON.stringify(OPTIONS)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  );
}
