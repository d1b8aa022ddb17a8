import { expect, test } from 'vitest';
import { useBrowser } from '#support/browser.ts';
import { LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const browser = useBrowser();
const [norwegian] = LANGUAGES;

test('what a learner leaves in a shared browser is hidden from others, and there on their return', async () => {
  const { t } = norwegian;
  const one = await newLearner(stack.current);
  const other = await newLearner(stack.current);
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/login');
  const { page } = visitor;
  const goOn = page.getByRole('link', { name: t.quiz.continue });
  await visitor.signIn(one.email, one.password);
  await visitor.startDrill();
  const address = page.url();
  await visitor.atQuestion(1, 10);
  await page.route('**/answer', (route) => route.abort());
  await visitor.answer('right');
  await page.getByText(t.saving.waiting_one.replace('{{count}}', '1')).first().waitFor();
  await page.goBack();
  await goOn.waitFor();
  await page.getByText(t.saving.unsent_one.replace('{{count}}', '1')).waitFor();
  await visitor.button(t.actions.sign_out).click();

  await visitor.signIn(other.email, other.password);
  await visitor.button(t.quiz.start_drill).waitFor();
  expect(await goOn.count()).toBe(0);
  await page.goto(address);
  await page.getByRole('heading', { name: t.not_found.title }).waitFor();
  await page.getByRole('link', { name: t.actions.start }).click();
  await visitor.button(t.actions.sign_out).click();

  await visitor.signIn(one.email, one.password);
  await page.unroute('**/answer');
  const isSent = page.waitForResponse('**/answer');
  await goOn.click();
  await visitor.atQuestion(1, 10);
  expect((await isSent).status()).toBe(200);
  await visitor.button(t.run.next).click();
  await visitor.atQuestion(2, 10);
});

test('a choice that has not arrived is sent as its learner only', async () => {
  const { t } = norwegian;
  const one = await newLearner(stack.current);
  const other = await newLearner(stack.current);
  const examOf = async ({ email }: { email: string }) => {
    const { rows } = await stack.current.database.pool.query(
      `select exam from learner_plan join account on account.id = account_id where email = $1`,
      [email],
    );
    return rows[0]?.exam as unknown;
  };
  const unchosen = await examOf(other);
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/login');
  const { page } = visitor;
  // Beside today's practice, whose choices are the same.
  const card = page.locator('section').filter({
    has: page.getByRole('heading', { name: t.quiz.practice_test, exact: true }),
  });
  const choices = (exam: string) => card.locator('summary', { hasText: exam });
  await visitor.signIn(one.email, one.password);
  await page.route('**/api/v1/learning', (route) => route.abort());
  await choices(t.quiz.exam_samfunnskunnskap).click();
  await card.getByLabel(t.quiz.exam_statsborger).check();
  await page.getByText(t.learning.plan.exam_unsent).first().waitFor();
  await visitor.button(t.actions.sign_out).click();
  await page.unroute('**/api/v1/learning');

  await visitor.signIn(other.email, other.password);
  await choices(t.quiz.exam_samfunnskunnskap).waitFor();
  await visitor.button(t.actions.sign_out).click();

  await visitor.signIn(one.email, one.password);
  await choices(t.quiz.exam_statsborger).waitFor();
  await expect.poll(() => examOf(one)).toBe('statsborger');
  expect(await examOf(other)).toEqual(unchosen);
});
