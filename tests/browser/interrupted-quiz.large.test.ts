import { expect, test } from 'vitest';
import { expectCounted, LANGUAGES, newLearner, useBrowser, Visitor } from '#support/journey.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const browser = useBrowser();
const [norwegian] = LANGUAGES;

/** Resolves when the process has been started again. */
async function killed(name: 'gateway' | 'workers'): Promise<void> {
  const pid = stack.current.pid(name);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => stack.current.pid(name), { timeout: 20_000 }).not.toBe(pid);
}

test('a quiz outlives its browser, its gateway and its workers, and counts every answer once', async () => {
  const { t } = norwegian;
  const { email, password } = await newLearner(stack.current);
  const first = await Visitor.open(browser.current, stack.current, norwegian, '/login');
  await first.signIn(email, password);
  await first.startDrill();
  const address = first.page.url();
  for (let n = 1; n <= 3; n += 1) {
    await first.atQuestion(n, 10);
    await first.answer(n === 2 ? 'wrong' : 'right');
  }
  await first.atQuestion(4, 10);
  await first.close();

  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/login');
  const { page } = visitor;
  await visitor.signIn(email, password);
  const answered = t.quiz.open_answered.replace('{{n}}', '3').replace('{{total}}', '10');
  await page.getByText(answered).waitFor();
  await page.getByRole('link', { name: t.quiz.continue }).click();
  await visitor.atQuestion(4, 10);
  expect(page.url()).toBe(address);
  await visitor.answer('right');
  await visitor.atQuestion(5, 10);

  const gateway = killed('gateway');
  await visitor.answer('right');
  // Not lost, whatever happens to the page now.
  await page.getByRole('alert').getByText(t.quiz.kept).waitFor();
  await gateway;
  const retry = visitor.button(t.actions.retry);
  const isUp = () => fetch(`${stack.current.url}/health/ready`).then(({ ok }) => ok, String);
  await expect.poll(isUp, { timeout: 30_000 }).toBe(true);
  await retry.click();
  await visitor.atQuestion(6, 10);

  const workers = killed('workers');
  for (let n = 6; n <= 10; n += 1) {
    await visitor.atQuestion(n, 10);
    await visitor.answer(n === 7 ? 'wrong' : 'right');
  }
  await page.waitForURL('**/result');
  await page
    .getByText(t.result.score.replace('{{score}}', '8').replace('{{total}}', '10'))
    .waitFor();
  await workers;
  await expectCounted(stack.current, email, { selected: 10, correct: 8, incorrect: 2 });
});
