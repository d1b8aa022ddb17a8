import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, newLearner, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';

// Why the wrong answers are wrong, and the source, wherever an explanation stands.
const stack = useOwnStack();
const browser = useBrowser();
const languages = drawLanguages();
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true };
const SOURCES = {
  no: 'Kilde: Store norske leksikon, lest 23.11.2026',
  en: 'Source: Store norske leksikon, read 23 November 2026',
};

const reasonFor = (option: string) =>
  `${option} er noe annet: det gjelder først mange år senere, og bare i noen kommuner.`;

beforeAll(async () => {
  // The third wrong answer of each question has none.
  await stack.current.database.pool.query(
    `update question set source_title = 'Store norske leksikon', checked_at = '2026-11-23',
       source_url = 'https://snl.no/', incorrect_reasons = (
         select array_agg(case when place <> 3 then option || $1 end order by place)
         from unnest(incorrect) with ordinality as given (option, place))`,
    [reasonFor('')],
  );
});

async function wrongOf(page: Page): Promise<string[]> {
  const asked = await page.getByRole('heading', { level: 1 }).innerText();
  const { rows } = await stack.current.database.pool.query<{ incorrect: string[] }>(
    'select incorrect from question where question = $1',
    [asked],
  );
  return rows[0]!.incorrect;
}

const linkIn = (visitor: Visitor, language: 'no' | 'en') =>
  visitor.page.getByRole('link', { name: SOURCES[language], exact: true });

test.each(languages)(
  'stand under the wrong options after the answer, and in the result ($language)',
  async (language) => {
    const learner = await newLearner(stack.current, { autoAdvance: null });
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login', PHONE);
    const { page, t } = visitor;
    await visitor.signIn(learner.email, learner.password);
    await visitor.startDrill();
    await visitor.atQuestion(1, 10);
    const [given, other, none] = await wrongOf(page);
    const reasonUnder = (option: string) =>
      page
        .getByRole('group', { name: t.run.options })
        .locator('div')
        .filter({ has: page.getByRole('button', { name: option }) })
        .getByText(reasonFor(option), { exact: true });
    expect(await page.getByText(reasonFor('')).count()).toBe(0);
    await visitor.answer('wrong');
    await reasonUnder(given!).waitFor();
    await reasonUnder(other!).waitFor();
    // On a phone also below the explanation, which may cover the options.
    expect(await page.getByText(reasonFor('')).count()).toBe(3);
    await page.locator('[data-answer]').getByText(reasonFor(given!), { exact: true }).waitFor();
    expect(await page.getByText(reasonFor(none!)).count()).toBe(0);
    await linkIn(visitor, language.language).waitFor();
    expect(await findingsOf(page)).toEqual([]);

    for (let n = 2; n <= 10; n += 1) {
      await visitor.button(t.run.next).click();
      await visitor.atQuestion(n, 10);
      await visitor.answer('right');
      await linkIn(visitor, language.language).waitFor();
    }
    await visitor.button(t.run.finish).click();
    await visitor.button(t.result.show_wrong_one.replace('{{count}}', '1')).click();
    await linkIn(visitor, language.language).waitFor();
    const reviewed = page.getByRole('listitem').filter({ has: page.getByRole('heading') });
    await reviewed.getByText(reasonFor(given!), { exact: true }).waitFor();
    await reviewed.getByText(t.result.why_wrong).waitFor();
    await reviewed.getByText(reasonFor(other!), { exact: true }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
  },
);

test.each(languages)(
  'stand on the landing page and in the free questions after the answer ($language)',
  async (language) => {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/', PHONE);
    const { page, t } = visitor;
    const card = page.locator('section[aria-labelledby=try-question]');
    const asked = await card.getByRole('heading').innerText();
    const { rows } = await stack.current.database.pool.query<{ incorrect: string[] }>(
      'select incorrect from question where question = $1',
      [asked],
    );
    const [given] = rows[0]!.incorrect;
    await card.getByRole('button', { name: given! }).tap();
    await card.getByText(reasonFor(given!), { exact: true }).waitFor();
    await linkIn(visitor, language.language).waitFor();
    expect(await findingsOf(page)).toEqual([]);

    await card.getByRole('link', { name: t.landing.try_next }).tap();
    await visitor.atQuestion(2, 10);
    await visitor.answer('wrong');
    await linkIn(visitor, language.language).waitFor();
    expect(await page.getByText(reasonFor('')).count()).toBe(3);
  },
);
