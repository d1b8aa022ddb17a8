import { mkdir } from 'node:fs/promises';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import en from '../../frontend/src/texts/translation.en.json' with { type: 'json' };
import learnerEn from '../../frontend/src/texts/learner.en.json' with { type: 'json' };
import learnerNo from '../../frontend/src/texts/learner.no.json' with { type: 'json' };
import pagesEn from '../../frontend/src/texts/pages.en.json' with { type: 'json' };
import pagesNo from '../../frontend/src/texts/pages.no.json' with { type: 'json' };
import no from '../../frontend/src/texts/translation.no.json' with { type: 'json' };
import { openContext } from './browser.ts';
import { addDays } from './factories.ts';
import { randomFor } from './random.ts';
import { bySize, testSeed } from './settings.ts';
import type { TestProduct } from './stack.ts';

/** The languages of the pages, with the texts that a learner sees. */
export const LANGUAGES = [
  { language: 'no', locale: 'nb-NO', t: { ...no, ...pagesNo, ...learnerNo } },
  { language: 'en', locale: 'en-GB', t: { ...en, ...pagesEn, ...learnerEn } },
] as const;
export type JourneyLanguage = (typeof LANGUAGES)[number];

/**
 * The languages in which a file repeats its tests: both in full size, otherwise the one that the file's seed draws.
 */
export function drawLanguages(): readonly JourneyLanguage[] {
  const random = randomFor(testSeed('this language'), 'language');
  const drawn = [LANGUAGES[random.below(LANGUAGES.length)]!];
  return bySize<readonly JourneyLanguage[]>({ quick: drawn, large: drawn, full: LANGUAGES });
}

const FAILURES = new URL('../../.local/failures/', import.meta.url);

/** A person in a browser profile of their own, with the steps that all journeys share. */
export class Visitor {
  readonly page: Page;
  readonly t: JourneyLanguage['t'];
  /** Uncaught errors of the page, and errors in its console. */
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
      // Stripe answers 402 for a declined card, which the browser always logs.
      const declined = message.text().includes('402') && message.location().url.includes('/v1/');
      if (message.type() === 'error' && !declined) this.complaints.push(message.text());
    });
  }

  /** Opens a page of the site. It is closed after the test; if the test fails, a screenshot is kept. */
  static async open(
    browser: Browser,
    stack: TestProduct,
    { language, locale, t }: JourneyLanguage,
    path: string,
    options: BrowserContextOptions = {},
  ): Promise<Visitor> {
    const context = await openContext(browser, {
      locale,
      viewport: { width: 1280, height: 900 },
      // A stack over TLS has a certificate of its own authority, which the browser does not know.
      ignoreHTTPSErrors: stack.url.startsWith('https:'),
      ...options,
    });
    const page = await context.newPage();
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail' && !page.isClosed()) {
        await mkdir(FAILURES, { recursive: true });
        const name = `${task.name.replaceAll(/\W+/g, '-')}-${language}.png`;
        await page.screenshot({ path: new URL(name, FAILURES).pathname, fullPage: true });
      }
      await context.close();
    });
    await page.goto(`${stack.url}${path}?lng=${language}`);
    return new Visitor(stack, context, page, t);
  }

  /** Closes the browser profile, as a crash would: nothing stored in it is left. */
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

  /**
   * Clicks "Try again" beside what was not read. The reads of `url` go on to fail until the click, and succeed
   * from then on: the live stream may have the page read again at any time, and the button would be gone.
   */
  async retry(url: string, beside: Page | Locator = this.page): Promise<void> {
    const { page } = this;
    const key = JSON.stringify(url);
    await page.evaluate(`{
      const retried = (window.retried ??= new Set());
      addEventListener('click', () => retried.add(${key}), { capture: true, once: true });
    }`);
    await page.route(url, async (route) => {
      if (await page.evaluate(`window.retried.has(${key})`)) await route.continue();
      else await route.fallback();
    });
    const { retry } = this.t.actions;
    await beside.getByRole('button', { name: retry, exact: true }).click();
    await page.unroute(url);
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
    await this.page.locator('input[name=number]').fill(number);
    await this.page.locator('input[name=expiry]').fill('12/40');
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

  /** Waits until a question is shown and accepts an answer, also after an automatic step to it. */
  async atQuestion(n: number, total: number): Promise<void> {
    const text = this.t.run.counter.replace('{{n}}', `${n}`).replace('{{total}}', `${total}`);
    await this.page.getByText(text).waitFor();
    await this.page.locator('[data-guarded]').waitFor({ state: 'detached' });
  }

  /** Chooses an option of the question that is shown; the database says which one is right. */
  async answer(how: 'right' | 'wrong'): Promise<void> {
    const text = await this.page.getByRole('heading', { level: 1 }).innerText();
    const { rows } = await this.#stack.database.pool.query<{ answer: string; incorrect: string[] }>(
      'select answer, incorrect from question where question = $1',
      [text],
    );
    const [row] = rows;
    if (!row) throw new Error(`No question is shown: ${text}`);
    const option = how === 'right' ? row.answer : row.incorrect[0];
    await this.page
      .locator('[data-look]')
      .getByText(option ?? '', { exact: true })
      .click();
  }
}

/**
 * Creates a learner with 30 days of service and a password.
 *
 * @param options.autoAdvance what they chose for quizzes with feedback; null: their first wrong answer asks
 */
export async function newLearner(
  stack: TestProduct,
  { autoAdvance = true }: { autoAdvance?: boolean | null } = {},
): Promise<{ email: string; password: string }> {
  const user = await stack.identity.createPasswordUser();
  const { pool } = stack.database;
  const accountId = await addDays(pool, user, 30);
  if (autoAdvance !== null) {
    await pool.query('insert into learner_plan (account_id, auto_advance) values ($1, $2)', [
      accountId,
      autoAdvance,
    ]);
  }
  return user;
}

/** A new learner in a browser, at the first question of a quiz that was started through the API. */
export async function inQuiz(
  browser: Browser,
  stack: TestProduct,
  language: JourneyLanguage,
  quiz: { topic: string; question_count?: number; instant_feedback?: boolean },
): Promise<{ visitor: Visitor; quizId: string; learner: { email: string; password: string } }> {
  const learner = await newLearner(stack);
  const { idToken } = await stack.identity.signInWithPassword(learner.email, learner.password);
  const response = await fetch(`${stack.url}/api/v1/quiz/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(quiz),
  });
  const { id, questions } = (await response.json()) as { id: string; questions: unknown[] };
  const visitor = await Visitor.open(browser, stack, language, '/login');
  await visitor.signIn(learner.email, learner.password);
  await visitor.page.goto(`${stack.url}/quiz/${id}`);
  await visitor.atQuestion(1, questions.length);
  return { visitor, quizId: id, learner };
}

/**
 * Waits until the workers have consumed every event that they count, so that an answer counted twice
 * would show, and compares their counts for the questions of a learner's quizzes.
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
