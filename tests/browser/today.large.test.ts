// Over 400 lines: today's practice, its plan and its readiness share learners whose memory takes long to make.
import { CURRENT_REMINDER_TEXT, REMINDER_TEXTS } from '@proveklar/contract/consent-texts.ts';
import type { LearningResponse } from '@proveklar/contract/learning.ts';
import { stopToken } from '@proveklar/services/learning/reminders.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findingsOf } from '#support/axe.ts';
import { changeResponses, useBrowser } from '#support/browser.ts';
import { drawLanguages, LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const browser = useBrowser();
const languages = drawLanguages();
const [norwegian, english] = LANGUAGES;

interface Consent {
  id: string;
  version: string;
  key: Buffer;
}

const LEARNING = '**/api/v1/learning?*';
const SET = 10;

async function signedIn(language: (typeof LANGUAGES)[number]) {
  const learner = await newLearner(stack.current);
  const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
  await visitor.signIn(learner.email, learner.password);
  await visitor.page.getByRole('heading', { name: language.t.quiz.today }).waitFor();
  return { visitor, page: visitor.page, email: learner.email };
}

const filled = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));

const dayIn = (days: number) =>
  new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);

const planOf = async (email: string) => {
  const { rows } = await stack.current.database.pool.query(
    `select exam, exam_date::text, daily_goal, reminders, support_access
     from learner_plan join account on account.id = account_id where email = $1`,
    [email],
  );
  return rows[0] as unknown;
};

/** Lets the page read changed figures. */
async function withFigures(page: Page, change: (real: LearningResponse) => object) {
  await changeResponses(page, LEARNING, (real) => ({
    ...real,
    ...change(real as LearningResponse),
  }));
  await page.reload();
}

const topic = { topic: 'Historie', total: 40, known: 20, unsure: 0, unseen: 20 };

test.each(languages)(
  "a learner does today's practice, sees what changed, and goes on ($language)",
  async (language) => {
    const { visitor, page } = await signedIn(language);
    const { learning, run } = language.t;
    await page.getByText(filled(learning.goal_done, { done: 0, goal: 20 })).waitFor();
    await page.getByText(filled(learning.readiness.missing_other, { count: 40 })).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await visitor.button(learning.start).click();
    const question = page.getByRole('heading', { level: 1 });
    let missed = '';
    for (let n = 1; n <= SET; n += 1) {
      await visitor.atQuestion(n, SET);
      if (n === 3) missed = await question.innerText();
      await visitor.answer(n === 3 ? 'wrong' : 'right');
      if (n === 3) await visitor.button(run.next).click();
    }
    await page.waitForURL('**/result');
    await page.getByRole('heading', { name: learning.set.title }).waitFor();
    await page.getByText(filled(learning.goal_done, { done: SET, goal: 20 })).waitFor();
    await page.getByText(filled(learning.wrong_today_one, { count: 1 })).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: learning.set.title }).waitFor();
    await visitor.button(learning.set.next).click();
    await visitor.atQuestion(1, SET);
    expect(await question.innerText()).toBe(missed);
    expect(visitor.complaints).toEqual([]);
  },
);

test('a set with most answers wrong leads to the mistakes, and does not praise the goal', async () => {
  const { visitor, page, email } = await signedIn(english);
  const { learning, result, run } = english.t;
  await stack.current.database.pool.query(
    `update learner_plan set daily_goal = 5
     where account_id = (select id from account where email = $1)`,
    [email],
  );
  await visitor.button(learning.start).click();
  for (let n = 1; n <= SET; n += 1) {
    await visitor.atQuestion(n, SET);
    await visitor.answer('wrong');
    await visitor.button(run.next).or(visitor.button(run.finish)).click();
  }
  await page.waitForURL('**/result');
  await page.getByRole('heading', { name: result.low }).waitFor();
  await page.getByText(learning.set.goal_reached).waitFor();
  expect(await page.getByText(learning.goal_reached).count()).toBe(0);
  const first = page.getByRole('main').getByRole('button').first();
  expect(await first.innerText()).toBe(filled(result.show_wrong_other, { count: SET }));
  expect(await findingsOf(page)).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});

test("a set that was left on an earlier day stands below today's practice", async () => {
  const { visitor, page, email } = await signedIn(norwegian);
  const { learning, quiz } = norwegian.t;
  await visitor.button(learning.start).click();
  await visitor.atQuestion(1, SET);
  await visitor.answer('right');
  await visitor.atQuestion(2, SET);
  const top = async (name: string) =>
    (await page.getByRole('heading', { name, exact: true }).boundingBox())!.y;
  const home = `${stack.current.url}/quiz`;
  await page.goto(home);
  await page.getByRole('heading', { name: quiz.today }).waitFor();
  expect(await top(quiz.open_title_one)).toBeLessThan(await top(quiz.today));
  await stack.current.database.pool.query(
    `update quiz set started_at = started_at - interval '1 day'
     where account_id = (select id from account where email = $1)`,
    [email],
  );
  await page.goto(home);
  await page.getByRole('heading', { name: quiz.today }).waitFor();
  expect(await top(quiz.open_title_one)).toBeGreaterThan(await top(quiz.today));
  expect(await findingsOf(page)).toEqual([]);
});

test('says how long each question was shown', async () => {
  const { visitor, page } = await signedIn(norwegian);
  await visitor.button(norwegian.t.learning.start).click();
  await visitor.atQuestion(1, SET);
  const request = page.waitForRequest('**/answer');
  await visitor.answer('right');
  const { shown_ms: shownMs } = (await request).postDataJSON() as { shown_ms: number };
  expect(shownMs).toBeGreaterThan(0);
  expect(shownMs).toBeLessThan(60_000);
  await visitor.atQuestion(2, SET);
  await page.reload();
  await visitor.atQuestion(2, SET);
  const afterReload = page.waitForRequest('**/answer');
  await visitor.answer('right');
  expect((await afterReload).postDataJSON()).not.toHaveProperty('shown_ms');
});

test('each state of the day says what to do', async () => {
  const { visitor, page } = await signedIn(english);
  const { learning, quiz } = english.t;
  const today = { goal: 20, done: 4, due: 0, wrong_today: 0, new: 0 };

  await withFigures(page, () => ({ today, topics: [{ ...topic, known: 40, unseen: 0 }] }));
  await page.getByText(learning.finished, { exact: true }).waitFor();
  expect(await visitor.button(learning.start).count()).toBe(0);
  await visitor.button(quiz.start_practice).waitFor();
  expect(await findingsOf(page)).toEqual([]);

  await withFigures(page, () => ({
    today: { ...today, due: 6, new: 4 },
    streak: { days: 3, forgiven_used: 1 },
  }));
  await page.getByText(filled(learning.waiting_both_other, { due: 6, count: 4 })).waitFor();
  await page.getByText(filled(learning.streak_with_gap_other, { count: 3 })).waitFor();
  // Numbers beside that of the mistakes would have to be explained.
  await withFigures(page, () => ({ today: { ...today, due: 3, wrong_today: 5, new: 7 } }));
  await page.getByText(learning.waiting_mixed).waitFor();
  await page.getByText(learning.wrong_today_other).waitFor();
  await visitor.button(learning.go_on).waitFor();
  await withFigures(page, () => ({ streak: { days: 3, forgiven_used: 1 } }));
  await page.getByText(learning.streak_about).click();
  await page.getByText(learning.streak_rule).waitFor();
  await page.getByText(filled(learning.streak_forgiven_one, { count: 1 })).waitFor();
  expect(await findingsOf(page)).toEqual([]);

  await withFigures(page, () => ({ today: { ...today, new: 16 }, topics: [topic] }));
  await page.getByText(filled(learning.nothing_due_new_other, { count: 16 })).waitFor();

  await withFigures(page, () => ({ today: { ...today, done: 20 }, topics: [topic] }));
  await page.getByText(learning.goal_reached).waitFor();
  await visitor.button(learning.start_more).waitFor();

  await withFigures(page, () => ({ topics: [] }));
  await page.getByText(quiz.topics_empty).waitFor();

  await page.unrouteAll({ behavior: 'wait' });
  await page.route(LEARNING, (route) => route.fulfill({ status: 400, json: {} }));
  await page.reload();
  await page.getByText(learning.failed).waitFor();
  await visitor.button(quiz.start_drill).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await visitor.retry(LEARNING);
  await visitor.button(learning.start).waitFor();
});

test('readiness is shown as a range, with the step that helps most', async () => {
  const { visitor, page } = await signedIn(norwegian);
  const { readiness } = norwegian.t.learning;
  await withFigures(page, ({ topics }) => ({
    readiness: { probability: 0.62, low: 0.48, high: 0.75, answers: 60 },
    next_step: { kind: 'new', topic: topics[0]?.topic, questions: 10 },
  }));
  await page
    .getByText(
      /^Samfunnskunnskapsprøven akkurat nå: 62\s% sjanse for å bestå \(mellom 48 og 75\s%\)/,
    )
    .waitFor();
  await page.getByRole('img', { name: /62\s%, mellom 48 og 75\s%/ }).waitFor();
  expect(await page.getByText(readiness.low).count()).toBe(0);
  await page.getByText(readiness.about, { exact: true }).click();
  await page.getByText(readiness.about_text).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  const request = page.waitForRequest('**/quiz/start');
  await page.getByRole('button', { name: /^Øv på nye spørsmål om / }).click();
  expect((await request).postDataJSON()).toMatchObject({
    question_count: 10,
    language: 'no',
    new_first: true,
  });
  await visitor.atQuestion(1, SET);
});

test("the step that repeats says that it is a set of today's practice, and starts one", async () => {
  const { visitor, page } = await signedIn(norwegian);
  const { readiness } = norwegian.t.learning;
  await withFigures(page, () => ({
    readiness: { probability: 0.62, low: 0.48, high: 0.75, answers: 60 },
    next_step: { kind: 'repeat', topic: null, questions: 3 },
  }));
  const request = page.waitForRequest('**/quiz/start');
  await visitor.button(readiness.step_today).click();
  expect((await request).postDataJSON()).toMatchObject({ topic: 'today', question_count: 10 });
  await visitor.atQuestion(1, SET);
});

test('a low chance is said to rise, and access that ends before the exam is said', async () => {
  const { page } = await signedIn(english);
  const { readiness } = english.t.learning;
  const examDate = dayIn(12);
  await withFigures(page, () => ({
    readiness: { probability: 0.03, low: 0.01, high: 0.09, answers: 40 },
    exam_date: examDate,
    access_ends_first: '2026-12-24',
  }));
  await page.getByText(readiness.low).waitFor();
  await page.getByText(filled(readiness.access_first, { date: '24 December 2026' })).waitFor();
  expect(await findingsOf(page)).toEqual([]);
});

test('the button that shows all topics keeps the focus, and hides them again', async () => {
  const { visitor, page } = await signedIn(norwegian);
  const { progress } = norwegian.t;
  const named = (n: number) => ({ ...topic, topic: `Tema ${n}` });
  await withFigures(page, () => ({ topics: Array.from({ length: 10 }, (_, n) => named(n)) }));
  await visitor.button(progress.all_topics).click();
  await page.getByText('Tema 9', { exact: true }).waitFor();
  await page.locator('[aria-expanded=true]:focus', { hasText: progress.fewer_topics }).waitFor();
  await visitor.button(progress.fewer_topics).click();
  await page.getByText('Tema 9', { exact: true }).waitFor({ state: 'detached' });
  await page.locator('[aria-expanded=false]:focus', { hasText: progress.all_topics }).waitFor();
});

test('a goal that is too low for the exam date is raised by one button', async () => {
  const { visitor, page, email } = await signedIn(norwegian);
  const { plan } = norwegian.t.learning;
  const suggested = { exam_date: '2099-12-24', suggested_goal: 30 };
  await withFigures(page, () => suggested);
  await visitor.button(norwegian.t.learning.start).waitFor();
  const text = filled(plan.suggested, { count: 30, date: '24. desember 2099' });
  expect(await page.getByText(text).count()).toBe(0);
  const readiness = { probability: 0.4, low: 0.3, high: 0.6, answers: 60 };
  await withFigures(page, () => ({ ...suggested, readiness }));
  await page.getByText(filled(plan.suggested, { count: 30, date: '24. desember 2099' })).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await visitor.button(filled(plan.set_goal, { count: 30 })).click();
  await page.locator(':focus', { hasText: filled(plan.goal_is, { count: 30 }) }).waitFor();
  expect(await planOf(email)).toMatchObject({ daily_goal: 30 });

  // Lowered again, it is offered again.
  await page.getByText(new RegExp(`^${plan.title}:`)).click();
  await page.getByLabel(plan.daily_goal, { exact: true }).selectOption('10');
  await visitor.button(plan.save).click();
  await visitor.button(filled(plan.set_goal, { count: 30 })).waitFor();
  expect(visitor.complaints).toEqual([]);
});

test('a learner changes their plan, and support sees progress only with consent', async () => {
  const { visitor, page, email } = await signedIn(norwegian);
  const { learning, quiz } = norwegian.t;
  const { plan, support } = learning;
  const dateField = page.getByLabel(plan.exam_date, { exact: false }).first();
  await page.getByText(new RegExp(`^${plan.title}:`)).click();
  await dateField.fill('2020-01-01');
  await visitor.button(plan.save).click();
  await page.getByText(plan.exam_date_invalid).waitFor();
  await page.locator('input[type=date][aria-invalid=true]:focus').waitFor();
  expect(await findingsOf(page)).toEqual([]);
  const nextMonth = dayIn(30);
  await dateField.fill(nextMonth);
  await page.getByLabel(plan.daily_goal).selectOption('10');
  await visitor.button(plan.save).click();
  await page.getByText(plan.saved).waitFor();
  await page.getByText(filled(learning.goal_done, { done: 0, goal: 10 })).waitFor();
  // Asked until the first answer.
  const today = page.getByRole('region', { name: quiz.today });
  await today.getByLabel(quiz.exam_statsborger).check();
  await page
    .getByRole('region', { name: quiz.practice_test })
    .locator('summary', { hasText: quiz.exam_statsborger })
    .waitFor();
  await expect
    .poll(() => planOf(email))
    .toEqual({
      exam: 'statsborger',
      exam_date: nextMonth,
      daily_goal: 10,
      reminders: false,
      support_access: false,
    });
  await dateField.fill('');
  await visitor.button(plan.save).click();
  await expect.poll(() => planOf(email)).toMatchObject({ exam_date: null });

  await page.getByRole('tab', { name: norwegian.t.home.tab_account }).click();
  await page.getByLabel(support.label).check();
  await page.getByText(support.saved, { exact: true }).waitFor();
  expect(await planOf(email)).toMatchObject({ support_access: true, daily_goal: 10 });
});

test('saving the plan sends only what the learner changed, and keeps what was changed elsewhere', async () => {
  const { visitor, page, email } = await signedIn(english);
  const { learning, quiz } = english.t;
  const { plan } = learning;
  const summary = page.locator('summary', { hasText: new RegExp(`^${plan.title}:`) });
  const box = page.getByLabel(REMINDER_TEXTS[CURRENT_REMINDER_TEXT.en].text);
  await summary.click();
  await page.getByLabel(plan.exam_date, { exact: false }).first().fill(dayIn(30));
  await box.check();
  await visitor.button(plan.save).click();
  await summary.filter({ hasText: plan.with_reminders }).waitFor();
  // As the link in a mail and another device do.
  await stack.current.database.pool.query(
    `update learner_plan set reminders = false, exam_date = $2
     where account_id = (select id from account where email = $1)`,
    [email, dayIn(60)],
  );
  // Another choice makes the page read the plan again.
  await page.getByRole('region', { name: quiz.today }).getByLabel(quiz.exam_statsborger).check();
  await summary.filter({ hasNotText: plan.with_reminders }).waitFor();
  await page.getByLabel(plan.daily_goal).selectOption('30');
  await visitor.button(plan.save).click();
  await expect
    .poll(() => planOf(email))
    .toEqual({
      exam: 'statsborger',
      exam_date: dayIn(60),
      daily_goal: 30,
      reminders: false,
      support_access: false,
    });
  expect(await box.isChecked()).toBe(false);
  expect(visitor.complaints).toEqual([]);
});

test.each(languages)(
  'a learner asks for reminders, and stops them from a mail without signing in ($language)',
  async (language) => {
    const { visitor, page, email } = await signedIn(language);
    const { learning, stop_reminders: stop, reminders } = language.t;
    const { plan } = learning;
    const reminderText = REMINDER_TEXTS[CURRENT_REMINDER_TEXT[language.language]].text;
    const box = page.getByLabel(reminderText);
    await page.getByText(new RegExp(`^${plan.title}:`)).click();
    await box.check();
    await visitor.button(plan.save).click();
    await page.getByText(new RegExp(`^${plan.title}:.*${plan.with_reminders}`)).waitFor();
    const { rows } = await stack.current.database.pool.query<Consent>(
      `select account_id as id, reminders_consent as version, reminders_key as key
       from learner_plan join account on account.id = account_id where email = $1`,
      [email],
    );
    const { id, version, key } = rows[0]!;
    expect(version).toBe(CURRENT_REMINDER_TEXT[language.language]);
    expect(await findingsOf(page)).toEqual([]);

    const token = stopToken(id, key);
    const reader = await Visitor.open(browser.current, stack.current, language, '/paminnelser');
    await reader.page.getByRole('heading', { name: stop.invalid_title }).waitFor();
    await reader.page.goto(`${stack.current.url}/paminnelser?token=${token}`);
    await reader.page.getByRole('heading', { name: reminders.title }).waitFor();
    expect(await findingsOf(reader.page)).toEqual([]);
    await reader.button(stop.stop).click();
    await reader.page.getByRole('heading', { name: stop.done_title }).waitFor();
    expect(await findingsOf(reader.page)).toEqual([]);
    expect(reader.complaints).toEqual([]);

    await page.reload();
    await page.getByText(new RegExp(`^${plan.title}:`)).click();
    expect(await box.isChecked()).toBe(false);
    await withFigures(page, () => ({ reminders_stopped: 'unanswered' }));
    await page.getByText(new RegExp(`^${plan.title}:`)).click();
    await page.getByText(plan.reminders_unanswered).waitFor();
    expect(visitor.complaints).toEqual([]);
  },
);

test('the exam that this browser remembers moves into the account once', async () => {
  const { page, email } = await signedIn(norwegian);
  const { quiz, learning } = norwegian.t;
  await page.evaluate(`localStorage.setItem('proveklar.exam', 'statsborger')`);
  await page.reload();
  await expect.poll(() => planOf(email)).toMatchObject({ exam: 'statsborger' });
  const kept = () => page.evaluate(`localStorage.getItem('proveklar.exam')`);
  await expect.poll(kept).toBeNull();
  await page.reload();
  const today = page.getByRole('region', { name: quiz.today });
  await expect.poll(() => today.getByLabel(quiz.exam_statsborger).isChecked()).toBe(true);

  // A choice that does not arrive applies here, and is sent at the next visit.
  const SAVE = '**/api/v1/learning';
  await page.route(SAVE, (route) => route.abort());
  await today.getByLabel(quiz.exam_samfunnskunnskap).check();
  await page.getByText(learning.plan.exam_unsent).waitFor();
  expect(await today.getByLabel(quiz.exam_samfunnskunnskap).isChecked()).toBe(true);
  expect(await planOf(email)).toMatchObject({ exam: 'statsborger' });
  await page.unroute(SAVE);
  await page.reload();
  await expect.poll(() => planOf(email)).toMatchObject({ exam: 'samfunnskunnskap' });
});

test('a choice that the account gets after the page is left is not kept to be sent again', async () => {
  const { page, email } = await signedIn(norwegian);
  const { quiz, footer } = norwegian.t;
  const isAnswered = Promise.withResolvers<void>();
  await page.route('**/api/v1/learning', async (route) => {
    const response = await route.fetch();
    await isAnswered.promise;
    await route.fulfill({ response });
  });
  await page.getByRole('region', { name: quiz.today }).getByLabel(quiz.exam_statsborger).check();
  await expect.poll(() => planOf(email)).toMatchObject({ exam: 'statsborger' });
  const kept = () =>
    page.evaluate(`Object.keys(localStorage).filter((key) => key.startsWith('proveklar.exam'))`);
  expect(await kept()).toHaveLength(1);
  await page.getByRole('link', { name: footer.codes }).click();
  await page.waitForURL('**/skoler');
  isAnswered.resolve();
  await expect.poll(kept).toEqual([]);
});

test("the language that is chosen in today's practice is that of the topics and the other quizzes", async () => {
  const { visitor, page } = await signedIn(norwegian);
  const { learning, quiz } = norwegian.t;
  const today = page.getByRole('region', { name: quiz.today });
  await today.getByLabel(quiz.question_language).selectOption('en');
  await page.getByRole('button', { name: /^History/ }).waitFor();
  const drill = page.getByRole('region', { name: quiz.drill_title });
  expect(await drill.getByLabel(quiz.question_language).inputValue()).toBe('en');
  const test = page.getByRole('region', { name: quiz.practice_test });
  await test.locator('summary', { hasText: 'Engelsk' }).waitFor();
  const request = page.waitForRequest('**/quiz/start');
  await visitor.button(learning.start).click();
  expect((await request).postDataJSON()).toMatchObject({ topic: 'today', language: 'en' });
});

test.each([
  ['passed', 'yes', 'thanks_passed'],
  ['failed', 'no', 'thanks_failed'],
] as const)('a learner who %s the exam is asked once, and told what is next', async (...given) => {
  const [, answer, thanks] = given;
  const { visitor, page, email } = await signedIn(english);
  const { outcome, plan } = english.t.learning;
  await stack.current.database.pool.query(
    `insert into learner_plan (account_id, exam_date)
     select id, current_date - 2 from account where email = $1
     on conflict (account_id) do update set exam_date = excluded.exam_date`,
    [email],
  );
  await page.reload();
  await page.getByRole('heading', { name: outcome.title }).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  // The plan asks for a new date in place of the one that is over.
  const parts = [filled(plan.per_day, { count: 20 }), plan.exam_over];
  await page.getByText(`${plan.title}: ${parts.join(' · ')}`, { exact: true }).waitFor();
  await visitor.button(outcome[answer]).click();
  await page.getByText(outcome[thanks]).waitFor();
  await page.reload();
  await visitor.button(english.t.learning.start).waitFor();
  expect(await page.getByRole('heading', { name: outcome.title }).count()).toBe(0);
});
