import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { uniqueEmail } from '#support/identity.ts';
import { drawLanguages, newLearner, Visitor } from '#support/journey.ts';
import { useStack } from '#support/stack.ts';

// The messages of the specification's section 8 that a learner meets, payment apart: docs/messages.md.
const stack = useStack();
const browser = useBrowser();

/** Lets every call of a path fail. */
async function fails(page: Page, path: string | RegExp, status = 500): Promise<void> {
  await page.route(path, (route) =>
    route.fulfill({ status, json: { error: 'A fault', code: 'internal_error' } }),
  );
}

const SESSION = /\/api\/v1\/quiz\/[0-9a-f-]{36}$/;
const filled = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));

describe.each(drawLanguages())('$language', (language) => {
  const { t } = language;
  const fault = { status: t.error.status_500 };
  /** Where the message says what to do. */
  const advised = { status: `${t.error.status_500}. ${t.error.advice_wait}` };

  const open = (path: string) => Visitor.open(browser.current, stack.current, language, path);

  async function signedIn(): Promise<Visitor> {
    const { email, password } = await newLearner(stack.current);
    const visitor = await open('/login');
    await visitor.signIn(email, password);
    return visitor;
  }

  async function inDrill(): Promise<Visitor> {
    const visitor = await signedIn();
    await visitor.startDrill();
    await visitor.atQuestion(1, 10);
    return visitor;
  }

  /** Opens the result of a test that was handed in without an answer. */
  async function atResult(): Promise<Visitor> {
    const { email, password } = await newLearner(stack.current);
    const { idToken } = await stack.current.identity.signInWithPassword(email, password);
    const call = async (path: string, body: object) => {
      const response = await fetch(`${stack.current.url}/api/v1/quiz/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as { id: string };
    };
    const { id } = await call('start', { topic: 'Praktisk prøve' });
    await call(`${id}/end`, {});
    const visitor = await open('/login');
    await visitor.signIn(email, password);
    await visitor.page.goto(`${stack.current.url}/quiz/${id}/result`);
    return visitor;
  }

  /** Waits for a message, and checks the accessibility of its page. */
  async function says({ page }: Visitor, text: string): Promise<void> {
    await page.getByText(text).first().waitFor();
    expect(await findingsOf(page)).toEqual([]);
  }

  test('shows that a quiz was not started', async () => {
    const visitor = await signedIn();
    await fails(visitor.page, '**/quiz/start', 503);
    await visitor.button(t.quiz.start_drill).click();
    await says(visitor, filled(t.quiz.failed.start, advised));
    await visitor.page.unroute('**/quiz/start');
    await fails(visitor.page, '**/quiz/start', 401);
    await visitor.button(t.quiz.start_drill).click();
    await says(visitor, t.quiz.failed.not_signed_in);
  });

  test('shows that an answer was not sent', async () => {
    const visitor = await inDrill();
    await fails(visitor.page, '**/answer');
    await visitor.answer('right');
    await says(visitor, filled(t.quiz.failed.answer, fault));
  });

  test('shows that a quiz could not be left', async () => {
    const visitor = await inDrill();
    const { page } = visitor;
    // The home lists no quiz without an answer.
    await visitor.answer('wrong');
    await page.getByText(t.run.correct_answer, { exact: true }).waitFor();
    await fails(page, '**/cancel');
    const giveUp = page.getByRole('dialog').getByRole('button', { name: t.run.exit_confirm });
    await visitor.button(t.run.exit).click();
    await giveUp.click();
    await says(visitor, filled(t.quiz.failed.cancel, advised));
    await page.goto(`${stack.current.url}/quiz`);
    await page.getByRole('button', { name: new RegExp(`^${t.quiz.exit}:`) }).click();
    await giveUp.click();
    await says(visitor, filled(t.quiz.failed.cancel, advised));
  });

  test('shows that a quiz was not ended', async () => {
    const visitor = await inDrill();
    await fails(visitor.page, '**/end');
    for (let n = 1; n <= 10; n += 1) {
      await visitor.atQuestion(n, 10);
      await visitor.answer('right');
    }
    await says(visitor, filled(t.quiz.failed.end, fault));
  });

  test('shows that a quiz cannot be opened', async () => {
    const visitor = await inDrill();
    await fails(visitor.page, SESSION);
    await visitor.page.reload();
    await says(visitor, filled(t.quiz.failed.session, advised));
    await visitor.page.unroute(SESSION);
    await visitor.button(t.actions.retry).click();
    await visitor.atQuestion(1, 10);
  });

  test('shows that one or all questions of a result are missing', async () => {
    const visitor = await atResult();
    const { page } = visitor;
    const questions = '**/questions?quiz_id=*';
    const show = page.getByRole('button', { name: /\(\d+\)$/ }).first();
    await fails(page, questions);
    await show.click();
    await says(visitor, filled(t.quiz.failed.questions, advised));
    await page.unroute(questions);
    let missing = 0;
    await page.route(questions, async (route) => {
      const body = (await (await route.fetch()).json()) as { questions: { id: number }[] };
      missing = body.questions.splice(5, 1)[0]?.id ?? 0;
      await route.fulfill({ json: body });
    });
    await visitor.button(t.actions.retry).click();
    await page.getByText(t.result.unanswered).first().waitFor();
    await says(visitor, filled(t.result.question_missing, { id: missing }));
  });

  test('shows that a report was not sent', async () => {
    const visitor = await inDrill();
    const { page } = visitor;
    await fails(page, '**/feedback');
    await visitor.button(t.report.title).click();
    await page.getByRole('dialog').getByRole('button', { name: t.report.send }).click();
    await says(visitor, filled(t.report.failed, advised));
    await page.unroute('**/feedback');
    await page.getByRole('dialog').getByRole('button', { name: t.actions.retry }).click();
    await says(visitor, t.report.thanks_text);
  });

  test('shows an empty history, and one that cannot be read', async () => {
    const visitor = await signedIn();
    const { page } = visitor;
    await page.goto(`${stack.current.url}/quiz?tab=history`);
    await says(visitor, t.history.empty_title);
    await page.getByText(t.history.empty_text).waitFor();
    await fails(page, '**/quiz/history?*');
    await page.reload();
    await says(visitor, t.history.empty_title);
    await page.getByText(t.history.failed).waitFor();
  });

  test('shows that the account cannot be read', async () => {
    const visitor = await signedIn();
    await fails(visitor.page, '**/api/v1/account');
    await visitor.page.goto(`${stack.current.url}/quiz?tab=account`);
    await says(visitor, t.account.load_failed);
  });

  test('shows why a sign-in failed', async () => {
    const visitor = await open('/login');
    const { page } = visitor;
    await visitor.button(t.auth.sign_in).click();
    await says(visitor, t.fields.fill_in_all);
    await visitor.fill(t.fields.email, 'unknown@example.no');
    await visitor.fill(t.fields.password, 'wrong password');
    await visitor.button(t.auth.sign_in).click();
    await says(visitor, filled(t.auth.failed_sign_in, { message: t.auth.error.wrong_credentials }));
    await page.route(/accounts:signInWithPassword/, (route) =>
      route.fulfill({ status: 500, json: { error: { code: 500, message: 'INTERNAL' } } }),
    );
    await visitor.button(t.auth.sign_in).click();
    await says(visitor, t.auth.failed_log_in);
    await page.route(/accounts:signInWithIdp/, (route) => route.abort());
    await visitor.button(t.auth.google).click();
    await visitor.page.getByRole('dialog').getByRole('textbox').fill('demo@example.no');
    await visitor.button(t.auth.emulated_google_continue).click();
    await says(visitor, filled(t.auth.failed_google, { message: t.auth.error.network }));
  });

  test('shows that no reset link was sent', async () => {
    const visitor = await open('/login');
    const { page } = visitor;
    await page.getByRole('link', { name: t.auth.forgot }).click();
    await visitor.button(t.auth.reset_send).click();
    await says(visitor, t.fields.fill_in_all);
    await page.route('**/password/forgot', (route) => route.abort());
    await visitor.fill(t.fields.email, 'unknown@example.no');
    await visitor.button(t.auth.reset_send).click();
    await says(visitor, filled(t.auth.failed_reset, { message: t.error.network }));
  });

  test('shows that an account was not created', async () => {
    const visitor = await open('/quiz');
    await visitor.page.getByText(t.auth.create_account, { exact: true }).first().click();
    await fails(visitor.page, '**/payment/create-registration-intent');
    await visitor.fill(t.fields.username, 'Demo');
    await visitor.fill(t.fields.email, 'unknown@example.no');
    await visitor.fill(t.fields.password, 'et godt passord');
    await visitor.button(t.registration.submit).click();
    await says(visitor, filled(t.registration.failed, { message: t.error.code.internal_error }));
  });

  test('refuses a common password before anything is paid, and accepts another one', async () => {
    const visitor = await open('/quiz');
    const { page } = visitor;
    await page.getByText(t.auth.create_account, { exact: true }).first().click();
    await visitor.fill(t.fields.username, 'Demo');
    await visitor.fill(t.fields.email, uniqueEmail());
    await visitor.fill(t.fields.password, 'passord123');
    await visitor.button(t.registration.submit).click();
    const message = t.registration.password_other;
    await says(visitor, filled(t.registration.failed, { message }));
    await page.getByText(t.error.password.common).waitFor();
    await page.locator('input[name=password][aria-invalid=true]:focus').waitFor();
    await visitor.fill(t.fields.password, 'et godt passord');
    await visitor.button(t.registration.submit).click();
    await page.getByRole('heading', { name: t.registration.billing_title }).waitFor();
  });
});
