import { describe, expect, test } from 'vitest';
import { useBrowser } from '#support/browser.ts';
import { drawLanguages, expectCounted, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';
import { newLearnerJourney } from './new-learner-journey.ts';

const stack = useOwnStack();
const browser = useBrowser();

describe.each(drawLanguages())('a visitor without an account ($language)', (language) => {
  const { t } = language;

  test('registers, pays, signs in, takes a quiz and sees the result', async () => {
    const { email, visitor } = await newLearnerJourney(browser.current, stack.current, language);
    await expectCounted(stack.current, email, { selected: 10, correct: 10, incorrect: 0 });
    expect(visitor.complaints).toEqual([]);
  });

  test('who has an account practises at once, and leaves a quiz', async () => {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
    const { page } = visitor;
    await visitor.fill(t.fields.email, 'learner@example.no');
    await visitor.fill(t.fields.password, 'wrong password');
    await visitor.button(t.auth.sign_in).click();
    await page.getByText(t.auth.error.wrong_credentials).waitFor();
    await page.locator('[role=alert]:focus').waitFor();
    visitor.complaints = [];
    await visitor.signIn('learner@example.no', 'proveklar-demo');
    await page.locator('h1:focus').waitFor();
    await visitor.button(t.quiz.start_practice).click();
    await visitor.atQuestion(1, 38);
    await visitor.answer('right');
    await visitor.button(t.run.exit_test).click();
    await page.getByRole('dialog').getByText(t.run.exit_confirm).click();
    await page.waitForURL('**/quiz');
    await visitor.button(t.actions.sign_out).click();
    await visitor.button(t.auth.sign_in).waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
