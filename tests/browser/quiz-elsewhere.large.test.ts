import { expect, test } from 'vitest';
import { LANGUAGES, newLearner, useBrowser, Visitor } from '#support/journey.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const browser = useBrowser();
const [norwegian] = LANGUAGES;
const { t } = norwegian;

/** As another tab or device of the same person would. */
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

test('whoever reads an answer is not led on, and a reload comes back to it', async () => {
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
