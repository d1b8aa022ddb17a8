import { expect, test } from 'vitest';
import { useBrowser } from '#support/browser.ts';
import { inQuiz, LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const browser = useBrowser();
const [norwegian] = LANGUAGES;
const { t } = norwegian;

/** Closes a quiz as another tab or device of the same learner would. */
async function closeElsewhere(
  how: 'end' | 'cancel',
  id: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const { idToken } = await stack.current.identity.signInWithPassword(email, password);
  const { ok } = await fetch(`${stack.current.url}/api/v1/quiz/${id}/${how}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${idToken}` },
  });
  expect(ok).toBe(true);
}

test.each([
  { how: 'end', path: /\/result$/, text: t.result.low },
  { how: 'cancel', path: /\/quiz\/[0-9a-f-]{36}$/, text: t.run.cancelled_title },
] as const)('a quiz that is closed elsewhere ($how) says so', async ({ how, path, text }) => {
  const learner = await newLearner(stack.current);
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/login');
  const { page } = visitor;
  await visitor.signIn(learner.email, learner.password);
  let started = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/quiz/start')) started += 1;
  });
  await visitor.button(t.quiz.start_drill).evaluate((button: { click(): void }) => {
    button.click();
    button.click();
  });
  await visitor.atQuestion(1, 10);
  expect(started).toBe(1);

  await closeElsewhere(how, page.url().split('/').at(-1) ?? '', learner);
  await visitor.answer('right');
  await page.getByText(text).waitFor();
  expect(page.url()).toMatch(path);
  const kept = await page.evaluate('Object.keys(localStorage).join()');
  expect(kept).not.toContain('proveklar.unsent');
});

test('leads home after a quiz is left, also when it is read again meanwhile', async () => {
  const { visitor, quizId } = await inQuiz(browser.current, stack.current, norwegian, {
    topic: 'all',
  });
  const { page } = visitor;
  const { promise: cancelled, resolve: onCancelled } = Promise.withResolvers<void>();
  const { promise: read, resolve: onRead } = Promise.withResolvers<void>();
  await page.route(`**/quiz/${quizId}`, async (route) => {
    await cancelled;
    await route.fulfill({ response: await route.fetch() });
    onRead();
  });
  await page.route('**/quiz/open', async (route) => {
    onCancelled();
    await read;
    await route.fallback();
  });
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await visitor.button(t.run.exit).click();
  await page.getByRole('heading', { name: t.quiz.drill_title }).waitFor();
  await expect.poll(() => page.url()).toMatch(/\/quiz$/);
  expect(await page.getByText(t.run.cancelled_title).count()).toBe(0);
});

test('does not advance while the learner reads an answer, and a reload shows it again', async () => {
  const { email, password } = await newLearner(stack.current);
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/login');
  const { page } = visitor;
  await visitor.signIn(email, password);
  await visitor.startDrill();
  await visitor.atQuestion(1, 10);
  await page.clock.install();
  await visitor.answer('wrong');
  const key = page.getByText(t.run.correct_answer, { exact: true });
  await key.waitFor();
  await page.keyboard.press('ArrowDown');
  await page.clock.fastForward(10_000);
  await key.waitFor();
  await page.reload();
  await key.waitFor();
  await visitor.atQuestion(1, 10);
  await visitor.button(t.run.next).click();
  await visitor.atQuestion(2, 10);
});

test('advances although an explanation appears under a resting pointer', async () => {
  const { visitor } = await inQuiz(browser.current, stack.current, norwegian, { topic: 'all' });
  const { page } = visitor;
  const { promise: pointed, resolve: arrive } = Promise.withResolvers<void>();
  await page.route('**/answer', async (route) => {
    await pointed;
    await route.fallback();
  });
  await visitor.answer('right');
  const above = await page.getByRole('group', { name: t.run.options }).boundingBox();
  await page.mouse.move(above!.x + 100, above!.y + above!.height + 60);
  arrive();
  await visitor.atQuestion(2, 10);
});

test('shows in one tab of a drill what was answered in another', async () => {
  const { visitor, quizId } = await inQuiz(browser.current, stack.current, norwegian, {
    topic: 'all',
    question_count: 5,
  });
  const other = visitor.on(await visitor.page.context().newPage());
  await other.page.goto(`${stack.current.url}/quiz/${quizId}`);
  await other.atQuestion(1, 5);
  await visitor.answer('wrong');
  await visitor.atQuestion(2, 5);
  await other.page.getByText(t.run.correct_answer, { exact: true }).waitFor();
  await other.button(t.run.next).click();

  // At the same moment in both: the first choice holds in both tabs, though the server does not have it yet.
  await other.atQuestion(2, 5);
  const { promise: answered, resolve: arrive } = Promise.withResolvers<void>();
  await other.page.route('**/answer', async (route) => {
    await answered;
    await route.fallback();
  });
  await other.answer('right');
  const letterAndText = await other.page.locator('[data-look=open]').first().innerText();
  const wrong = visitor.page
    .locator('[data-look]')
    .getByText(letterAndText.split('\n').at(-1)!, { exact: true });
  // By script: the other tab's answer may have locked it by now.
  await wrong.evaluate((option: { click(): void }) => option.click());
  const right = visitor.page.getByText(t.run.right, { exact: true });
  await right.waitFor();
  arrive();
  await other.atQuestion(3, 5);
  // The tab that did not choose it does not advance, and shows what happened.
  await right.waitFor();
});

test('keeps the last choice in both tabs of a practice test', async () => {
  const { visitor, quizId } = await inQuiz(browser.current, stack.current, norwegian, {
    topic: 'Praktisk prøve',
  });
  const other = visitor.on(await visitor.page.context().newPage());
  await other.page.goto(`${stack.current.url}/quiz/${quizId}`);
  await other.button(t.run.next).waitFor();
  await visitor.answer('wrong');
  await visitor.button(t.run.previous).click();
  const chosen = '[data-look=chosen]';
  const wrong = await visitor.page.locator(chosen).innerText();
  await other.page.locator(chosen).waitFor();
  expect(await other.page.locator(chosen).innerText()).toBe(wrong);
  await other.answer('right');
  await other.button(t.run.previous).click();
  const right = await other.page.locator(chosen).innerText();
  expect(right).not.toBe(wrong);
  const chosenHere = () => visitor.page.locator(chosen).innerText();
  await expect.poll(chosenHere).toBe(right);
});

test.each([
  { topic: 'all', text: t.saving.late_one },
  { topic: 'Praktisk prøve', text: t.saving.late_test_one },
])('says once that answers came too late for the result ($topic)', async ({ topic, text }) => {
  const { visitor, quizId, learner } = await inQuiz(browser.current, stack.current, norwegian, {
    topic,
  });
  const { page } = visitor;
  await page.context().setOffline(true);
  await visitor.answer('right');
  await page.getByText(t.saving.offline).waitFor();
  await closeElsewhere('end', quizId, learner);
  await page.context().setOffline(false);
  const late = page.getByText(text.replace('{{count}}', '1'));
  await late.waitFor();
  await page.reload();
  await page.getByText(t.result.low).waitFor();
  expect(await late.count()).toBe(0);
});

test('lets a learner finish a quiz after access has expired, and leads the next one to billing', async () => {
  const { visitor, learner } = await inQuiz(browser.current, stack.current, norwegian, {
    topic: 'all',
    question_count: 5,
  });
  const { page } = visitor;
  await visitor.answer('right');
  await visitor.atQuestion(2, 5);
  const set = (change: string) =>
    stack.current.database.pool.query(`update account set ${change} where email = $1`, [
      learner.email,
    ]);
  await set("service_expires_at = now() - interval '1 minute'");
  await visitor.answer('right');
  await visitor.atQuestion(3, 5);

  // Disabled for a while: nothing is lost or repeated, and the quiz goes on once the learner is let in.
  await set("state = 'disabled'");
  await visitor.answer('right');
  await page.getByText(t.error.code.account_disabled).waitFor();
  await page.getByText(t.saving.stopped).waitFor();
  await set("state = 'active'");
  await visitor.button(t.saving.try_now).click();
  for (let n = 4; n <= 5; n += 1) {
    await visitor.atQuestion(n, 5);
    await visitor.answer(n === 4 ? 'wrong' : 'right');
  }
  await page
    .getByText(t.result.score.replace('{{score}}', '4').replace('{{total}}', '5'))
    .waitFor();
  await page.getByRole('link', { name: t.result.again }).click();
  await page.getByRole('heading', { name: t.quiz.drill_title }).waitFor();
  await page.reload();
  await page.getByText(t.quiz.no_access).waitFor();

  // The progress page says so too, and starts nothing that would end at the payment.
  await page.goto(`${stack.current.url}/quiz/progress`);
  await page.getByText(t.quiz.no_access).waitFor();
  await page.getByRole('heading', { name: t.progress.topics }).waitFor();
  expect(await page.getByRole('button', { name: /^(Øv|Practise)/ }).count()).toBe(0);
  await page.getByRole('link', { name: t.account.extend }).last().click();
  await page.waitForURL('**/quiz/billing');
});
