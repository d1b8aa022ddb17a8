import { describe, expect, test } from 'vitest';
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { ApiLearner } from '#support/learner.ts';
import { useOwnStack } from '#support/stack.ts';

// With the limits of production.
const stack = useOwnStack({
  environment: {
    OPEN_DRILLS_PER_ACCOUNT: '5',
    QUIZZES_PER_ACCOUNT: '60',
    PUBLIC_CALLS_PER_ADDRESS: '600',
  },
});
const browser = useBrowser();
const CLASS = 40;

const filled = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));

describe.each(drawLanguages())('a learner with five open drills ($language)', (language) => {
  const { t } = language;

  async function withFiveDrills() {
    const learner = await newLearner(stack.current);
    const api = await ApiLearner.signIn(stack.current, learner);
    for (let n = 0; n < 5; n += 1) {
      await api.answer(await api.start({ topic: 'all', question_count: 5 }), 1);
    }
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
    await visitor.signIn(learner.email, learner.password);
    await visitor.button(t.quiz.start_drill).click();
    const title = filled(t.quiz.open_title_other, { count: 5 });
    const list = visitor.page.getByRole('dialog', { name: title });
    await list.waitFor();
    return { visitor, list };
  }

  test('starts the next one after ending one of them', async () => {
    const { visitor, list } = await withFiveDrills();
    const { page } = visitor;
    expect(await list.getByRole('listitem').count()).toBe(5);
    expect(await findingsOf(page)).toEqual([]);
    const confirm = page.getByRole('dialog', { name: t.run.exit_title });
    const endFirst = async () => {
      await list
        .getByRole('button', { name: `${t.quiz.exit}:` })
        .first()
        .click();
      await confirm.waitFor();
    };
    await endFirst();
    expect(await findingsOf(page)).toEqual([]);
    await confirm.getByRole('button', { name: t.run.exit_keep }).click();
    await list.waitFor();

    await page.route('**/cancel', (route) =>
      route.fulfill({ status: 500, json: { error: 'A fault', code: 'internal_error' } }),
    );
    await endFirst();
    await confirm.getByRole('button', { name: t.run.exit_confirm }).click();
    const failed = filled(t.quiz.failed.cancel, { status: t.error.status_500 });
    await list.getByRole('alert').getByText(failed).waitFor();
    await page.unroute('**/cancel');

    await endFirst();
    await confirm.getByRole('button', { name: t.run.exit_confirm }).click();
    await page.waitForURL(/\/quiz\/[0-9a-f-]{36}$/);
    await visitor.atQuestion(1, 10);
  });

  test('continues one of them', async () => {
    const { visitor, list } = await withFiveDrills();
    await list
      .getByRole('link', { name: `${t.quiz.continue}:` })
      .last()
      .click();
    await visitor.page.waitForURL(/\/quiz\/[0-9a-f-]{36}$/);
    const counter = filled(t.run.counter, { n: '[1-5]', total: 5 });
    await visitor.page.getByText(new RegExp(counter)).first().waitFor();
  });

  test('closes the list without changing any of them', async () => {
    const { visitor, list } = await withFiveDrills();
    const { page } = visitor;
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await page.getByRole('link', { name: `${t.quiz.continue}:` }).count()).toBe(5);
    await visitor.button(t.quiz.start_drill).click();
    await list.waitFor();
  });
});

test('a class behind one IP address can load and start; a flood is refused', async () => {
  const [norwegian] = LANGUAGES;
  const learner = await newLearner(stack.current);
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/personvern');
  const { page } = visitor;
  const asked: string[] = [];
  page.on('request', (request) => {
    const { url, headers } = { url: request.url(), headers: request.headers() };
    const isOurs = url.startsWith(stack.current.url) && request.method() === 'GET';
    if (isOurs && !headers.authorization) asked.push(url);
  });
  await page.goto(stack.current.url);
  await page.goto(`${stack.current.url}/login`);
  await visitor.signIn(learner.email, learner.password);
  await visitor.startDrill();
  await visitor.atQuestion(1, 10);
  // Pages and API calls; the limit does not count the built files.
  const counted = asked.filter((url) => !/\/assets\/|\.\w+$/.test(new URL(url).pathname));
  expect(counted.length).toBeGreaterThan(2);
  expect(counted.length).toBeLessThanOrEqual(600 / CLASS);

  for (let others = 1; others < CLASS; others += 1) {
    const answers = await Promise.all(asked.map((url) => fetch(url)));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ url }) => url)).toEqual([]);
  }

  // Until one is refused: the minute may end, and a new one begin, while the flood is sent.
  let refusal: Response | undefined;
  while (!refusal) {
    const flood = await Promise.all(
      Array.from({ length: 100 }, () => fetch(`${stack.current.url}/api/v1/topics`)),
    );
    await Promise.all(flood.map((answer) => answer.arrayBuffer()));
    refusal = flood.find(({ status }) => status === 429);
  }
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
  // A signed-in learner is not limited.
  await visitor.answer('right');
});
