import { mkdir } from 'node:fs/promises';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect, onTestFailed, onTestFinished } from 'vitest';
import en from '../../frontend/src/texts/translation.en.json' with { type: 'json' };
import learnerEn from '../../frontend/src/texts/learner.en.json' with { type: 'json' };
import learnerNo from '../../frontend/src/texts/learner.no.json' with { type: 'json' };
import no from '../../frontend/src/texts/translation.no.json' with { type: 'json' };
import { openContext } from './browser.ts';
import { addDays } from './factories.ts';
import type { TestProduct } from './stack.ts';

/** The languages of the screens, with the texts that a learner sees. */
export const LANGUAGES = [
  { language: 'no', locale: 'nb-NO', t: { ...no, ...learnerNo } },
  { language: 'en', locale: 'en-GB', t: { ...en, ...learnerEn } },
] as const;
export type JourneyLanguage = (typeof LANGUAGES)[number];

const FAILURES = new URL('../../.local/failures/', import.meta.url);

/** Somebody at a screen, in a browser profile of their own: what all journeys do. */
export class Visitor {
  readonly page: Page;
  readonly t: JourneyLanguage['t'];
  /** What the page complained about: uncaught errors, and errors in its console. */
  complaints: string[] = [];
  readonly #context: BrowserContext;
  readonly #stack: TestProduct;

  private constructor(
    stack: TestProduct,
    context: BrowserContext,
    page: Page,
    t: JourneyLanguage['t'],
  ) {
    this.#stack = stack;
    this.#context = context;
    this.page = page;
    this.t = t;
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // A declined card is a 402 of Stripe's, which the browser reports by itself.
      const declined = message.text().includes('402') && message.location().url.includes('/v1/');
      if (message.type() === 'error' && !declined) this.complaints.push(message.text());
    });
  }

  /** Opens a page of the site. It is closed with the test, and photographed if that fails. */
  static async open(
    browser: Browser,
    stack: TestProduct,
    { language, locale, t }: JourneyLanguage,
    path: string,
  ): Promise<Visitor> {
    const context = await openContext(browser, { locale, viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    onTestFinished(() => context.close());
    onTestFailed(async ({ task }) => {
      if (page.isClosed()) return;
      await mkdir(FAILURES, { recursive: true });
      const name = `${task.name.replaceAll(/\W+/g, '-')}-${language}.png`;
      await page.screenshot({ path: new URL(name, FAILURES).pathname, fullPage: true });
    });
    await page.goto(`${stack.url}${path}?lng=${language}`);
    return new Visitor(stack, context, page, t);
  }

  /** As if the browser had crashed: nothing of it is left. */
  close(): Promise<void> {
    return this.#context.close();
  }

  /** The same person at another page of the same browser, such as a second tab. */
  on(page: Page): Visitor {
    return new Visitor(this.#stack, this.#context, page, this.t);
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  fill(label: string, value: string): Promise<void> {
    return this.page.getByLabel(label, { exact: true }).fill(value);
  }

  /** Ticks the box that asks for access to start at once. */
  agree(): Promise<void> {
    return this.page.getByRole('checkbox').check();
  }

  /** Pays with one of the stand-in's test cards. */
  async payWith(number: string): Promise<void> {
    await this.page.locator('input[name=cardnumber]').fill(number);
    await this.page.locator('input[name=exp-date]').fill('12/40');
    await this.page.locator('input[name=cvc]').fill('123');
    await this.page.getByRole('button', { name: /^(Betal|Pay) / }).click();
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.fill(this.t.fields.email, email);
    await this.fill(this.t.fields.password, password);
    await this.button(this.t.auth.sign_in).click();
    await this.page.waitForURL('**/quiz');
  }

  async startDrill(): Promise<void> {
    await this.button(this.t.quiz.start_drill).click();
    await this.page.waitForURL(/\/quiz\/[0-9a-f-]{36}$/);
  }

  /** Waits until a question is shown, and takes an answer if it came by itself. */
  async atQuestion(n: number, total: number): Promise<void> {
    const text = this.t.run.counter.replace('{{n}}', `${n}`).replace('{{total}}', `${total}`);
    await this.page.getByText(text).waitFor();
    await this.page.locator('[data-guarded]').waitFor({ state: 'detached' });
  }

  /** Chooses an option of the question that is shown; the bank knows which one is right. */
  async answer(how: 'right' | 'wrong'): Promise<void> {
    const text = await this.page.getByRole('heading', { level: 1 }).innerText();
    const { rows } = await this.#stack.database.pool.query<{ answer: string; incorrect: string[] }>(
      'select answer, incorrect from question where question = $1',
      [text],
    );
    const [row] = rows;
    if (!row) throw new Error(`No question is shown: ${text}`);
    const option = how === 'right' ? row.answer : row.incorrect[0];
    await this.page.getByText(option ?? '', { exact: true }).click();
  }
}

/** A new learner with service, by their password. */
export async function newLearner(stack: TestProduct): Promise<{ email: string; password: string }> {
  const user = await stack.identity.createPasswordUser();
  await addDays(stack.database.pool, user, 30);
  return user;
}

/** A new learner in a quiz that was started through the API, at its first question. */
export async function inQuiz(
  browser: Browser,
  stack: TestProduct,
  language: JourneyLanguage,
  wish: { topic: string; question_count?: number; instant_feedback?: boolean },
): Promise<{ visitor: Visitor; quizId: string; learner: { email: string; password: string } }> {
  const learner = await newLearner(stack);
  const { idToken } = await stack.identity.signInWithPassword(learner.email, learner.password);
  const response = await fetch(`${stack.url}/api/v1/quiz/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  });
  const { id, questions } = (await response.json()) as { id: string; questions: unknown[] };
  const visitor = await Visitor.open(browser, stack, language, '/login');
  await visitor.signIn(learner.email, learner.password);
  await visitor.page.goto(`${stack.url}/quiz/${id}`);
  await visitor.atQuestion(1, questions.length);
  return { visitor, quizId: id, learner };
}

/**
 * Waits until the workers have consumed every event that is counted, so that a second count would
 * show, and compares what they have counted for the questions of a learner's quizzes.
 */
export async function expectCounted(
  stack: TestProduct,
  email: string,
  counted: { selected: number; correct: number; incorrect: number },
): Promise<void> {
  const waiting = async () => {
    const { rows } = await stack.database.pool.query(
      `select exists (select from outbox)
           or exists (select from event_delivery
                      where queue = 'statistics' and done_at is null) as waiting`,
    );
    return rows[0].waiting as unknown;
  };
  await expect.poll(waiting).toBe(false);
  const read = async () => {
    const { rows } = await stack.database.pool.query(
      `select sum(times_selected)::int as selected, sum(times_correct)::int as correct,
              sum(times_incorrect)::int as incorrect
       from question_statistics join quiz_question using (question_id)
       join quiz on quiz.id = quiz_id join account on account.id = account_id
       where email = $1`,
      [email],
    );
    return rows[0] as unknown;
  };
  expect(await read()).toEqual(counted);
}
