import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '#support/browser.ts';
import { expectCounted, inQuiz, LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';

const stack = useOwnStack();
const browser = useBrowser();
const [norwegian] = LANGUAGES;
const { t } = norwegian;

const waiting = (n: 1 | 2 | 3) =>
  (n === 1 ? t.saving.waiting_one : t.saving.waiting_other).replace('{{count}}', `${n}`);

/** Kills the process, and resolves when it has been restarted. */
async function killAndAwaitRestart(name: 'gateway' | 'workers'): Promise<void> {
  const pid = stack.current.pid(name);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => stack.current.pid(name)).not.toBe(pid);
}

test('a quiz survives crashes of its browser, gateway and workers, and counts every answer once', async () => {
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

  const gateway = killAndAwaitRestart('gateway');
  await visitor.answer('right');
  // The answer is stored in the browser, and is sent as soon as a gateway answers again.
  await page.getByText(waiting(1)).first().waitFor();
  await gateway;
  await visitor.atQuestion(6, 10);

  const workers = killAndAwaitRestart('workers');
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

/** Whether the browser would ask before the page is closed. */
const asksBeforeLeaving = (page: Page) =>
  page.evaluate("!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))");

test('a drill goes on offline and after a crash, and every answer arrives without a click', async () => {
  const { visitor, quizId } = await inQuiz(browser.current, stack.current, norwegian, {
    topic: 'all',
    question_count: 5,
  });
  const { page } = visitor;
  await page.context().setOffline(true);
  await visitor.answer('right');
  await page.getByText(waiting(1)).first().waitFor();
  await page.getByText(t.saving.offline).waitFor();
  expect(await asksBeforeLeaving(page)).toBe(true);
  // The feedback waits; the way to the next question does not.
  await visitor.button(t.run.next).click();
  await visitor.atQuestion(2, 5);
  await visitor.answer('wrong');
  await page.getByText(waiting(2)).first().waitFor();
  await page.context().setOffline(false);
  await page.getByText(t.saving.saved, { exact: true }).waitFor();
  expect(await asksBeforeLeaving(page)).toBe(false);

  // The network is back, without an `online` event: the retry schedule finds out.
  await visitor.button(t.run.next).click();
  await visitor.atQuestion(3, 5);
  await page.route('**/answer', (route) => route.abort());
  await visitor.answer('right');
  await page.getByText(waiting(1)).first().waitFor();
  await page.unroute('**/answer');
  await visitor.atQuestion(4, 5);

  await page.context().setOffline(true);
  await visitor.answer('right');
  await page.getByText(waiting(1)).first().waitFor();
  const again = await page.context().newPage();
  await page.close();
  await again.context().setOffline(false);
  const isSent = again.waitForResponse('**/answer');
  await again.goto(`${stack.current.url}/quiz/${quizId}`);
  expect((await isSent).status()).toBe(200);
  const back = visitor.on(again);
  await back.atQuestion(5, 5);

  // Handed in offline, and reloaded before the network is back.
  await again.route(/[/](answer|end)$/, (route) => route.abort());
  await back.answer('right');
  await again.getByText(waiting(1)).first().waitFor();
  await back.button(t.run.finish).click();
  await again.getByText(t.saving.offline_hand_in).waitFor();
  await again.reload();
  await again.getByText(t.saving.offline_hand_in).waitFor();
  await again.unroute(/[/](answer|end)$/);
  await again
    .getByText(t.result.score.replace('{{score}}', '4').replace('{{total}}', '5'))
    .waitFor();
  expect(await again.evaluate('Object.keys(localStorage).join()')).not.toContain('unsent');
});

test('a slow, busy or restarting service gets one call at a time, at the time that it asked for', async () => {
  const { visitor } = await inQuiz(browser.current, stack.current, norwegian, {
    topic: 'all',
    question_count: 5,
  });
  const { page } = visitor;
  const calls: number[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/answer')) calls.push(Date.now());
  });
  await page.route('**/answer', (route) =>
    calls.length === 1
      ? route.fulfill({
          status: 503,
          headers: { 'retry-after': '4' },
          json: { error: 'Busy', code: 'unavailable' },
        })
      : route.fallback(),
  );
  await visitor.answer('right');
  await page.getByText(waiting(1)).first().waitFor();
  await page.evaluate("window.dispatchEvent(new Event('online'))");
  await visitor.atQuestion(2, 5);
  expect(calls).toHaveLength(2);
  expect(calls[1]! - calls[0]!).toBeGreaterThanOrEqual(4_000);

  // A token that expires meanwhile is renewed without a message.
  calls.length = 0;
  await page.unroute('**/answer');
  await page.route('**/answer', (route) =>
    calls.length === 1
      ? route.fulfill({ status: 401, json: { error: 'Out', code: 'unauthenticated' } })
      : route.fallback(),
  );
  await visitor.answer('right');
  await visitor.atQuestion(3, 5);
  expect(calls).toHaveLength(2);

  calls.length = 0;
  await page.unroute('**/answer');
  const { promise: slow, resolve: answerNow } = Promise.withResolvers<void>();
  await page.route('**/answer', async (route) => {
    await slow;
    await route.fallback();
  });
  await visitor.answer('right');
  await page.getByText(waiting(1)).first().waitFor();
  await visitor.button(t.run.next).click();
  await visitor.answer('right');
  await page.getByText(waiting(2)).first().waitFor();
  expect(calls).toHaveLength(1);
  answerNow();
  await visitor.atQuestion(5, 5);
  expect(calls).toHaveLength(2);
});

test('a practice test goes on offline, and the last choice arrives', async () => {
  const { visitor, quizId } = await inQuiz(browser.current, stack.current, norwegian, {
    topic: 'Praktisk prøve',
  });
  const { page } = visitor;
  await page.context().setOffline(true);
  await visitor.answer('wrong');
  await visitor.atQuestion(2, 38);
  await visitor.answer('right');
  await page.getByText(waiting(2)).first().waitFor();
  await visitor.atQuestion(3, 38);
  await visitor.button(t.run.previous).click();
  await visitor.button(t.run.previous).click();
  await visitor.answer('right');
  await page.context().setOffline(false);
  await page.getByText(t.saving.saved, { exact: true }).waitFor();
  const { rows } = await stack.current.database.pool.query(
    'select correct from quiz_answer where quiz_id = $1',
    [quizId],
  );
  expect(rows).toEqual([{ correct: true }, { correct: true }]);
});

test('a browser without storage shows a warning, and works until the page is closed', async () => {
  const { visitor } = await inQuiz(browser.current, stack.current, norwegian, { topic: 'all' });
  const { page } = visitor;
  await page.evaluate("Storage.prototype.setItem = () => { throw new Error('blocked') }");
  await page.context().setOffline(true);
  await visitor.answer('right');
  await page.getByText(t.saving.offline_unkept).waitFor();
  await page.context().setOffline(false);
  await visitor.atQuestion(2, 10);
});
