import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import {
  drawLanguages,
  inQuiz,
  type JourneyLanguage,
  LANGUAGES,
  newLearner,
  Visitor,
} from '#support/journey.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const browser = useBrowser();
const [norwegian, english] = LANGUAGES;

type Learner = Awaited<ReturnType<typeof newLearner>>;

async function enter(learner: Learner, language: JourneyLanguage = norwegian): Promise<Visitor> {
  const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
  await visitor.signIn(learner.email, learner.password);
  return visitor;
}

/** Starts the test; resolves at its first question. */
async function begin(visitor: Visitor): Promise<string> {
  await visitor.button(visitor.t.quiz.start_practice).click();
  await visitor.page.waitForURL(/\/quiz\/[0-9a-f-]{36}$/);
  await visitor.atQuestion(1, 38);
  return visitor.page.url().split('/').at(-1)!;
}

/** Sets how many seconds the test has left. */
async function leave(seconds: number, quizId: string): Promise<void> {
  await stack.current.database.pool.query(
    `update quiz set deadline_at = now() + make_interval(secs => $2),
       started_at = now() + make_interval(hours => -1, secs => $2) where id = $1`,
    [quizId, seconds],
  );
}

/** The window gets the focus again, so the page reads the state of the quiz. */
const comeBack = (page: Page) => page.evaluate('window.dispatchEvent(new Event("focus"))');

/** In light and in dark colours. */
async function expectNoFindings(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findingsOf(page)).toEqual([]);
  }
}

const withCount = (text: string, count: number) => text.replace('{{count}}', String(count));

test.each(drawLanguages())(
  'takes a practice test by keyboard, with marks, a warning and a result by topic ($language)',
  async (language) => {
    const { t } = language;
    const visitor = await enter(await newLearner(stack.current), language);
    const { page } = visitor;
    // The description of the test, and its options.
    const card = page.getByRole('region', { name: t.quiz.practice_test });
    await card.locator('summary').first().click();
    await card.locator('summary').nth(1).click();
    await page.getByText(t.practice.to_pass).waitFor();
    await page.getByRole('radio', { name: t.practice.timed }).waitFor();
    await expectNoFindings(page);
    await begin(visitor);
    expect(await page.getByRole('timer').innerText()).toMatch(/^(60:00|59:\d\d)$/);
    await page.keyboard.press('m');
    await page.getByText(t.practice.announce_marked.replace('{{n}}', '1')).waitFor();
    await expectNoFindings(page);
    for (let n = 1; n <= 37; n += 1) {
      await visitor.atQuestion(n, 38);
      await page.keyboard.press('abc'[n % 3]!);
    }
    await visitor.atQuestion(38, 38);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(withCount(t.run.hand_in_missing_one, 1)).waitFor();
    await dialog.getByText(withCount(t.practice.hand_in_marked_one, 1)).waitFor();
    await expectNoFindings(page);
    await dialog.getByRole('button', { name: t.practice.hand_in_to_marked }).press('Enter');
    await visitor.atQuestion(1, 38);
    await page.keyboard.press('M');
    await page.getByText(t.practice.announce_unmarked.replace('{{n}}', '1')).waitFor();
    await visitor.button(t.practice.next_open).press('Enter');
    await visitor.atQuestion(38, 38);
    await page.keyboard.press('1');
    // Every question is answered and none marked, so there is no confirmation.
    await page.keyboard.press('Enter');
    await page.waitForURL('**/result');
    await page
      .getByText(t.result.pass_mark.replace('{{mark}}', '26').replace('{{total}}', '34'))
      .waitFor();
    const topics = page.getByRole('table').getByRole('rowheader');
    expect(await topics.count()).toBeGreaterThan(1);
    await expectNoFindings(page);
    const weakest = await topics.first().innerText();
    await page.getByRole('table').getByRole('link').first().press('Enter');
    await page.waitForURL(/\/quiz\?topic=/);
    if (language === norwegian) {
      await expect
        .poll(() => page.getByLabel(t.quiz.topic, { exact: true }).inputValue())
        .toBe(weakest);
    }
    expect(visitor.complaints).toEqual([]);
  },
);

const counter = (page: Page, n: number, total: number) =>
  page.getByText(norwegian.t.run.counter.replace('{{n}}', `${n}`).replace('{{total}}', `${total}`));
/** A click by mouse or finger on the first option; its `detail` is 1, and that of a key press 0. */
const tap = (page: Page) =>
  page.getByRole('group').getByRole('button').first().dispatchEvent('click', { detail: 1 });
/** Stops the page's clock; the test advances it. */
async function pauseClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
}

/**
 * Advances the page's clock. React schedules timers and renders in messages that it posts to itself, and
 * messages posted before ours are handled before it.
 */
async function advanceClock(page: Page, ms: number): Promise<void> {
  await handlePostedMessages(page);
  await page.clock.runFor(ms);
  await handlePostedMessages(page);
}

const handlePostedMessages = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', resolve, { once: true });
        port1.start();
        port2.postMessage(null);
      }),
  );

test('shows the next question at once, and ignores the second tap of a double tap for 300 ms, "next" for a second', async () => {
  const visitor = await enter(await newLearner(stack.current));
  const { page } = visitor;
  const id = await begin(visitor);
  await pauseClock(page);
  await tap(page);
  await counter(page, 2, 38).waitFor();
  await tap(page);
  await advanceClock(page, 290);
  await tap(page);
  expect(await page.locator('[data-look=chosen]').count()).toBe(0);
  await advanceClock(page, 10);
  await tap(page);
  await counter(page, 3, 38).waitFor();
  // A learner who is used to tapping "next" after an answer would skip this question.
  const next = visitor.button(norwegian.t.run.next);
  await next.dispatchEvent('click', { detail: 1 });
  await advanceClock(page, 990);
  await next.dispatchEvent('click', { detail: 1 });
  await handlePostedMessages(page);
  expect(await counter(page, 3, 38).isVisible()).toBe(true);
  await advanceClock(page, 10);
  await next.dispatchEvent('click', { detail: 1 });
  await counter(page, 4, 38).waitFor();
  // A key press is not part of a double tap.
  await page.keyboard.press('a');
  await counter(page, 5, 38).waitFor();
  await page.keyboard.press('a');
  await counter(page, 6, 38).waitFor();
  await page.clock.resume();
  await expect.poll(() => answersOf(id)).toBe(4);
});

test('advances a drill without instant feedback at once too, and ends after its last question', async () => {
  const quiet = { topic: 'all', question_count: 5, instant_feedback: false };
  const { visitor, quizId } = await inQuiz(browser.current, stack.current, norwegian, quiet);
  const { page } = visitor;
  await pauseClock(page);
  for (const n of [2, 3, 4, 5]) {
    await page.keyboard.press('a');
    await counter(page, n, 5).waitFor();
  }
  await page.keyboard.press('a');
  await page.waitForURL('**/result');
  expect(await answersOf(quizId)).toBe(5);
});

test('does not apply a late correction to a question that was not read', async () => {
  const drill = { topic: 'all', question_count: 5 };
  const { visitor } = await inQuiz(browser.current, stack.current, norwegian, drill);
  const { page } = visitor;
  await pauseClock(page);
  await visitor.answer('right');
  await page.getByText(norwegian.t.run.right, { exact: true }).waitFor();
  await advanceClock(page, 500);
  await counter(page, 2, 5).waitFor();
  await advanceClock(page, 550);
  await tap(page);
  await page.keyboard.press('a');
  expect(await page.locator('button[aria-pressed=true]').count()).toBe(0);
  await advanceClock(page, 50);
  await page.keyboard.press('a');
  await page.locator('button[aria-pressed=true]').waitFor();
});

test('advances by hand for learners who want that', async () => {
  const { t } = norwegian;
  const visitor = await enter(await newLearner(stack.current));
  const { page } = visitor;
  await begin(visitor);
  await page.getByLabel(t.run.auto_advance).uncheck();
  // Before the choice: only timers that are set after the installation follow the test's clock.
  await page.clock.install();
  await visitor.answer('right');
  await page.locator('[data-look=chosen]').waitFor();
  await page.clock.fastForward(5_000);
  await visitor.atQuestion(1, 38);
  await visitor.button(t.run.next).click();
  await visitor.atQuestion(2, 38);
  await page.getByLabel(t.run.auto_advance).check();
  // After a manual advance, the question accepts answers at once.
  await visitor.button(t.run.next).click();
  await page.keyboard.press('1');
  await visitor.atQuestion(4, 38);
  // Every question has the button to hand in.
  await visitor.button(t.run.hand_in).click();
  await page.getByRole('dialog', { name: t.run.hand_in_title }).waitFor();
});

test('a learner who has chosen to advance by hand does so in a practice test too', async () => {
  const visitor = await enter(await newLearner(stack.current, { autoAdvance: false }));
  const { page } = visitor;
  await begin(visitor);
  expect(await page.getByLabel(norwegian.t.run.auto_advance).isChecked()).toBe(false);
  await page.keyboard.press('a');
  await page.locator('[data-look=chosen]').waitFor();
  await visitor.atQuestion(1, 38);
});

async function answersOf(quizId: string): Promise<number> {
  const { rows } = await stack.current.database.pool.query<{ answers: number }>(
    'select count(*)::int as answers from quiz_answer where quiz_id = $1',
    [quizId],
  );
  return rows[0]!.answers;
}

test('keeps marks and a hidden clock after a reload, and shows the marks on another device', async () => {
  const { t } = norwegian;
  const learner = await newLearner(stack.current);
  const visitor = await enter(learner);
  const { page } = visitor;
  const id = await begin(visitor);
  await page.route('**/mark', (route) => route.abort());
  await visitor.button(t.practice.mark).click();
  await visitor.button(t.practice.hide_clock).click();
  // And the question that was shown, although earlier ones are unanswered.
  await visitor.button(t.run.next).click();
  await visitor.button(t.run.next).click();
  await visitor.atQuestion(3, 38);
  await page.reload();
  await visitor.atQuestion(3, 38);
  await visitor.button(t.run.previous).click();
  await visitor.button(t.run.previous).click();
  await visitor.atQuestion(1, 38);
  // The mark has not reached the server, and is not lost.
  expect(await visitor.button(t.practice.mark).getAttribute('aria-pressed')).toBe('true');
  await page.unroute('**/mark');
  await expect.poll(() => marksOf(id)).toBe(1);
  expect(await page.getByRole('timer').count()).toBe(0);
  await visitor.button(t.practice.show_clock).click();
  await page.getByRole('timer').waitFor();

  const other = await enter(learner);
  await other.page.getByRole('link', { name: t.quiz.continue }).click();
  await other.atQuestion(1, 38);
  expect(await other.button(t.practice.mark).getAttribute('aria-pressed')).toBe('true');
  await other.page.keyboard.press('m');
  await expect.poll(() => marksOf(id)).toBe(0);
  await comeBack(page);
  const pressed = () => visitor.button(t.practice.mark).getAttribute('aria-pressed');
  await expect.poll(pressed).toBe('false');
});

async function marksOf(quizId: string): Promise<number> {
  const { rows } = await stack.current.database.pool.query<{ marked: number }>(
    'select count(*)::int as marked from quiz_question where quiz_id = $1 and marked',
    [quizId],
  );
  return rows[0]!.marked;
}

test('reminds of the time, and hands in automatically when it is up', async () => {
  const { t } = english;
  const visitor = await enter(await newLearner(stack.current), english);
  const { page } = visitor;
  await page.clock.install();
  const id = await begin(visitor);
  await page.keyboard.press('a');
  await visitor.atQuestion(2, 38);
  await leave(570, id);
  await comeBack(page);
  const timer = page.getByRole('timer');
  const reminder = (minutes: number) =>
    page.getByText(withCount(t.practice.reminder_other, minutes));
  // Ten minutes passed in the background: only the current reminder is given.
  await expect.poll(() => timer.innerText()).toMatch(/^0\d:\d\d$/);
  expect(await reminder(10).count()).toBe(0);
  // The page's clock is paused, so that a slow host does not pass the five minutes, too.
  await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 1_000'));
  const [minutes = 0, seconds = 0] = (await timer.innerText()).split(':').map(Number);
  await page.clock.runFor((minutes * 60 + seconds - 303) * 1_000);
  expect(await reminder(5).count()).toBe(0);
  await page.clock.runFor(5_000);
  await reminder(5).waitFor();
  await page.clock.resume();
  await leave(2, id);
  await comeBack(page);
  await page.waitForURL('**/result');
  await page.getByText(t.practice.time_was_up).waitFor();
  await page.getByText(t.result.not_passed, { exact: true }).waitFor();
  expect(visitor.complaints).toEqual([]);
});

test('says that it is offline when the time is up, and shows the result afterwards', async () => {
  const { t } = norwegian;
  const visitor = await enter(await newLearner(stack.current));
  const { page } = visitor;
  await page.clock.install();
  const id = await begin(visitor);
  await page.keyboard.press('a');
  await visitor.atQuestion(2, 38);
  await leave(570, id);
  await comeBack(page);
  await expect.poll(() => page.getByRole('timer').innerText()).toMatch(/^0\d:\d\d$/);
  await page.context().setOffline(true);
  await page.clock.fastForward(570_000);
  const dialog = page.getByRole('dialog', { name: t.practice.up_title });
  await dialog.getByText(t.practice.up_offline).waitFor();
  // Only the answers that have arrived are handed in.
  expect(await dialog.getByText(t.practice.up_text).count()).toBe(0);
  // There is nothing behind it to go back to.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  // No browser is open to hand it in: the schedule does.
  await leave(0, id);
  const state = async () => {
    const found = await stack.current.database.pool.query(
      'select state from quiz where id = $1 and ended_at = deadline_at',
      [id],
    );
    return found.rows[0]?.state as unknown;
  };
  await expect.poll(state).toBe('ended');
  await page.context().setOffline(false);
  await page.waitForURL('**/result');
  await page.getByText(t.practice.time_was_up).waitFor();
});

test('speaks of a test, not of a quiz, when a practice test is left and opened again', async () => {
  const { t } = norwegian;
  const visitor = await enter(await newLearner(stack.current));
  const { page } = visitor;
  const id = await begin(visitor);
  await page.keyboard.press('a');
  await visitor.atQuestion(2, 38);
  await visitor.button(t.run.exit_test).click();
  const dialog = page.getByRole('dialog', { name: t.run.exit_test_title });
  await dialog.getByRole('button', { name: t.run.hand_in }).click();
  const handIn = page.getByRole('dialog', { name: t.run.hand_in_title });
  await handIn.getByRole('button', { name: t.run.hand_in_stay }).click();
  await visitor.button(t.run.exit_test).click();
  await dialog.getByRole('button', { name: t.run.exit_test_stay }).waitFor();
  await dialog.getByRole('button', { name: t.run.exit_confirm }).click();
  await page.waitForURL('**/quiz');
  await page.goto(`${stack.current.url}/quiz/${id}`);
  await page.getByRole('heading', { name: t.run.cancelled_test_title }).waitFor();
  await page.getByRole('link', { name: t.result.again_test }).waitFor();
});

test('offers a practice test without a time limit', async () => {
  const { t } = norwegian;
  const visitor = await enter(await newLearner(stack.current));
  const card = visitor.page.getByRole('region', { name: t.quiz.practice_test });
  await card.locator('summary').last().click();
  await visitor.page.getByRole('radio', { name: t.practice.untimed }).check();
  await begin(visitor);
  await visitor.button(t.practice.mark).waitFor();
  expect(await visitor.page.getByRole('timer').count()).toBe(0);
});
