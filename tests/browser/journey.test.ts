import { mkdir } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFailed,
  test,
} from 'vitest';
import en from '../../frontend/src/i18n/en.json' with { type: 'json' };
import no from '../../frontend/src/i18n/no.json' with { type: 'json' };
import { launchBrowser } from '#support/browser.ts';
import { uniqueEmail } from '#support/identity.ts';
import { mailsTo } from '#support/mailbox.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const PASSWORD = 'et godt passord';
const FAILURES = new URL('../../.local/failures/', import.meta.url);
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const LANGUAGES = [
  {
    language: 'no',
    locale: 'nb-NO',
    t: no,
    card: 'Kortet ditt ble avvist.',
    price: '149 kr',
    mail: 'Bekreftelse på betaling',
  },
  {
    language: 'en',
    locale: 'en-GB',
    t: en,
    card: 'Your card was declined.',
    price: '149',
    mail: 'Confirmation of your payment',
  },
];

describe.each(LANGUAGES)('somebody new ($language)', ({ language, locale, t, card, price, mail }) => {
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeEach(async () => {
    context = await browser.newContext({ locale, viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // A declined card is a 402 of Stripe's, which the browser reports by itself.
      const declined = message.text().includes('402') && message.location().url.includes('/v1/');
      if (message.type() === 'error' && !declined) complaints.push(message.text());
    });
    onTestFailed(async ({ task }) => {
      await mkdir(FAILURES, { recursive: true });
      const name = `${task.name.replaceAll(/\W+/g, '-')}-${language}.png`;
      await page.screenshot({ path: new URL(name, FAILURES).pathname, fullPage: true });
    });
  });
  afterEach(() => context.close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const fill = (label: string, value: string) =>
    page.getByLabel(label, { exact: true }).fill(value);

  async function payWith(number: string): Promise<void> {
    await page.locator('input[name=cardnumber]').fill(number);
    await page.locator('input[name=exp-date]').fill('12/40');
    await page.locator('input[name=cvc]').fill('123');
    await page.getByRole('button', { name: /^(Betal|Pay) / }).click();
  }

  async function signIn(email: string, password: string): Promise<void> {
    await fill(t.fields.email, email);
    await fill(t.fields.password, password);
    await button(t.auth.sign_in).click();
    await page.waitForURL('**/quiz');
  }

  /** Chooses the right option of the question that is shown; the bank knows it. */
  async function answerRight(): Promise<void> {
    const text = await page.getByRole('heading', { level: 1 }).innerText();
    const { rows } = await stack.current.database.pool.query(
      'select answer from question where question = $1',
      [text],
    );
    await page.getByText(rows[0].answer, { exact: true }).click();
  }

  const counter = (n: number, total: number) =>
    page.getByText(t.run.counter.replace('{{n}}', `${n}`).replace('{{total}}', `${total}`));

  test('registers, pays, signs in, takes a quiz and sees the result', async () => {
    const email = uniqueEmail();
    await page.goto(`${stack.current.url}/?lng=${language}`);
    await page.getByText(price).first().waitFor();
    await page.getByRole('link', { name: t.landing.start_quiz }).click();
    await page.waitForURL('**/quiz');

    await page.getByText(t.auth.create_account, { exact: true }).click();
    await button(t.registration.submit).click();
    await page.getByText(t.fields.fill_in_all).first().waitFor();
    await fill(t.fields.username, 'Demo');
    await fill(t.fields.email, email);
    await fill(t.fields.password, PASSWORD);
    await button(t.registration.submit).click();

    await page.getByRole('heading', { name: t.registration.billing_title }).waitFor();
    await page.getByText(email).waitFor();
    await button(t.payment.proceed).click();
    await payWith('4000000000000002');
    await page.getByRole('alert').getByText(card).waitFor();
    expect(await stack.current.identity.findUser(email)).toBeUndefined();
    await payWith('4242424242424242');

    await page.getByRole('dialog').getByText(t.registration.success_title).waitFor();
    await page.getByRole('dialog').getByText(t.registration.to_login).click();
    await page.waitForURL('**/login');
    expect(await page.getByLabel(t.fields.email, { exact: true }).inputValue()).toBe(email);
    await signIn(email, PASSWORD);
    await page.getByText(t.home.greeting.replace('{{name}}', 'Demo')).waitFor();

    const subjects = async () => {
      const mails = await mailsTo(stack.current.mailboxUrl, email);
      return mails.map(({ subject }) => subject);
    };
    await expect.poll(subjects, { timeout: 5_000 }).toEqual([mail]);

    await button(t.quiz.start_drill).click();
    await page.waitForURL(/\/quiz\/[0-9a-f-]{36}$/);
    for (let n = 1; n <= 10; n += 1) {
      await counter(n, 10).waitFor();
      // A reload in the middle loses nothing.
      if (n === 4) await page.reload().then(() => counter(n, 10).waitFor());
      await answerRight();
    }
    await page.waitForURL('**/result');
    await page.getByText(t.result.excellent).waitFor();
    await page
      .getByText(/100\s?%/)
      .first()
      .waitFor();

    const counted = async () => {
      const { rows } = await stack.current.database.pool.query(
        `select sum(times_selected)::int as selected, sum(times_correct)::int as correct
         from question_statistics join quiz_question using (question_id)
         join quiz on quiz.id = quiz_id join account on account.id = account_id
         where email = $1`,
        [email],
      );
      return rows[0];
    };
    await expect.poll(counted, { timeout: 5_000 }).toEqual({ selected: 10, correct: 10 });
    expect(complaints).toEqual([]);
  });

  test('who has an account practises at once, and leaves a quiz', async () => {
    await page.goto(`${stack.current.url}/login?lng=${language}`);
    await fill(t.fields.email, 'learner@example.no');
    await fill(t.fields.password, 'wrong password');
    await button(t.auth.sign_in).click();
    await page.getByText(t.auth.error.wrong_credentials).waitFor();
    complaints = [];
    await signIn('learner@example.no', 'proveklar-demo');
    await button(t.quiz.start_practice).click();
    await counter(1, 38).waitFor();
    await answerRight();
    await button(t.run.exit).click();
    await page.getByRole('dialog').getByText(t.run.exit_confirm).click();
    await page.waitForURL('**/quiz');
    await button(t.actions.sign_out).click();
    await button(t.auth.sign_in).waitFor();
    expect(complaints).toEqual([]);
  });
});
