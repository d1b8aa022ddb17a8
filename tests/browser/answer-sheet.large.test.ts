import { expect, test } from 'vitest';
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { addQuestions } from '#support/factories.ts';
import { inQuiz, LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { DOUBLE_TEXT } from '#support/layout.ts';
import { ApiLearner } from '#support/learner.ts';
import { useStack } from '#support/stack.ts';

// What is right and why, after an answer in a quiz with feedback.
const stack = useStack();
const browser = useBrowser();
const [norwegian, english] = LANGUAGES;
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true };
/** 1440 × 900 at a zoom of 200 %. */
const ZOOMED = { viewport: { width: 720, height: 450 } };

interface DrillOptions {
  language?: (typeof LANGUAGES)[number];
  options?: object;
  account?: { email: string; password: string };
}

async function inDrill({ language = norwegian, options = {}, account }: DrillOptions = {}) {
  const learner = account ?? (await newLearner(stack.current, { autoAdvance: null }));
  const visitor = await Visitor.open(browser.current, stack.current, language, '/login', options);
  await visitor.signIn(learner.email, learner.password);
  await visitor.startDrill();
  await visitor.atQuestion(1, 10);
  return { visitor, learner };
}

const choiceOf = async (email: string) => {
  const { rows } = await stack.current.database.pool.query<{ auto_advance: boolean | null }>(
    `select auto_advance from learner_plan join account on account.id = account_id where email = $1`,
    [email],
  );
  return rows[0]?.auto_advance;
};

/** A learner in a drill of the questions with the longest feedback. */
async function inLongest(count: number, options: object) {
  const { pool } = stack.current.database;
  const { rows: longest } = await pool.query<{ id: number }>(
    `select id from question
     where language = 'no' and validated and retired_at is null and explanation is not null
       and incorrect_reasons[1] is not null and source_title is not null
     order by length(question || answer || explanation || incorrect[1] || incorrect_reasons[1]) desc
     limit $1`,
    [count],
  );
  const learner = await newLearner(stack.current, { autoAdvance: null });
  const api = await ApiLearner.signIn(stack.current, learner);
  const quiz = await api.start({ topic: 'all', question_count: count, instant_feedback: true });
  await pool.query('delete from quiz_question where quiz_id = $1', [quiz.id]);
  await pool.query(
    `insert into quiz_question (quiz_id, question_id, position, version)
     select $1, id, place, version from question
     join unnest($2::bigint[]) with ordinality as drawn (id, place) using (id)`,
    [quiz.id, longest.map(({ id }) => id)],
  );
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/login', options);
  await visitor.signIn(learner.email, learner.password);
  await visitor.page.goto(`${stack.current.url}/quiz/${quiz.id}`);
  return { visitor, count: longest.length };
}

/** How much of an element can be seen, from 0 to 1: within the screen and the box that it scrolls in. */
const VISIBLE = `(element) => {
  const box = element.getBoundingClientRect();
  let { top, bottom } = { top: 0, bottom: innerHeight };
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (getComputedStyle(parent).overflowY === 'visible') continue;
    const clip = parent.getBoundingClientRect();
    [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
  }
  const middle = document.elementFromPoint(box.left + box.width / 2, (box.top + box.bottom) / 2);
  if (!element.contains(middle)) return 0;
  return Math.max(0, Math.min(box.bottom, bottom) - Math.max(box.top, top)) / box.height;
}`;

/** What is seen of a wrong answer: each part's share, from the top of the sheet. */
const SHEET = `(() => {
  const visible = ${VISIBLE};
  const sheet = document.querySelector('[data-answer]');
  const parts = {
    outcome: sheet.querySelector('p'),
    explanation: sheet.querySelector('aside p'),
    given: [...sheet.children].find(({ localName }) => localName === 'p'),
    source: sheet.querySelector('a[target]'),
    next: document.querySelector('main > :last-child > :last-child > button:last-child'),
  };
  const ordered = Object.values(parts).map((part) => part.getBoundingClientRect().top);
  return {
    hidden: Object.keys(parts).filter((name) => visible(parts[name]) < 1),
    inOrder: ordered.every((top, place) => place === 0 || top > ordered[place - 1]),
    question: visible(document.querySelector('h1')) > 0.5,
  };
})()`;

test.each([
  ['a phone of 360 × 640', PHONE],
  ['a laptop at 200 %', ZOOMED],
])(
  'the longest feedback is whole below the question until the learner goes on, on %s',
  async (_, options) => {
    const { visitor, count } = await inLongest(10, options);
    const { page, t } = visitor;
    for (let n = 1; n <= count; n += 1) {
      await visitor.atQuestion(n, count);
      await visitor.answer('wrong');
      await page.getByLabel(t.run.explanation, { exact: true }).waitFor();
      await expect
        .poll(() => page.evaluate(SHEET))
        .toEqual({ hidden: [], inOrder: true, question: true });
      if (n === 1) {
        await page.getByText(t.run.ask_advance).waitFor();
        expect(await findingsOf(page)).toEqual([]);
      }
      await visitor.button(n === count ? t.run.finish : t.run.next).click();
    }
    await page.getByRole('heading', { name: t.result.low }).waitFor();
  },
);

/** Of a wrong answer: what of it is on the screen, and whether "next" comes after all of it. */
const LARGE_SHEET = `(() => {
  const visible = ${VISIBLE};
  const sheet = document.querySelector('[data-answer]');
  const explanation = sheet.querySelector('aside p');
  const { top, bottom } = explanation.getBoundingClientRect();
  const next = document.querySelector('main > :last-child > :last-child > button:last-child');
  return {
    outcome: visible(sheet.querySelector('p')),
    isWhole: visible(explanation) === 1,
    hasRoom: bottom - sheet.getBoundingClientRect().top < innerHeight - 24,
    isHigher: bottom - top > innerHeight,
    begins: top > 0 && top < innerHeight / 2,
    isCut: sheet.scrollHeight > sheet.clientHeight + 1,
    isNextAfter: next.getBoundingClientRect().top >= bottom,
  };
})()`;

test('an option that was not chosen folds to one line on a phone, and is whole on a tap', async () => {
  const topic = `Foldet ${crypto.randomUUID()}`;
  const incorrect = [1, 2].map(
    (n) => `Den ${n}. av de lange årsakene som ${'ingen har '.repeat(6)}`,
  );
  const question = {
    language: 'no',
    topic,
    question: `Hvorfor? (${topic.slice(-6)})`,
    answer: 'Derfor',
    incorrect,
  };
  await addQuestions(stack.current.database.pool, [question], topic);
  const { visitor } = await inQuiz(browser.current, stack.current, norwegian, { topic });
  const { page, t } = visitor;
  await page.setViewportSize(PHONE.viewport);
  await page.getByLabel(t.run.auto_advance).uncheck();
  await visitor.answer('wrong');
  const other = page.locator('[data-look=other]');
  const lines = () =>
    page.evaluate<number>(`(() => {
      const text = document.querySelector('[data-look=other]').children[1];
      return text.offsetHeight / parseFloat(getComputedStyle(text).lineHeight);
    })()`);
  await expect.poll(lines).toBeCloseTo(1, 1);
  expect(incorrect.map((text) => text.trim())).toContain(
    await other.locator('span').nth(1).innerText(),
  );
  // It is locked, which a click waits for.
  await other.click({ force: true });
  await expect.poll(lines).toBeGreaterThan(1.9);
});

test('with the text doubled on a phone, a learner reads down through the explanation to "next"', async () => {
  const { visitor, count } = await inLongest(20, PHONE);
  const { page, t } = visitor;
  await page.addInitScript(DOUBLE_TEXT);
  await page.reload();
  for (let n = 1; n <= count; n += 1) {
    await visitor.atQuestion(n, count);
    await visitor.answer('wrong');
    await page.getByLabel(t.run.explanation, { exact: true }).waitFor();
    const seen = () => page.evaluate<{ isWhole: boolean; hasRoom: boolean }>(LARGE_SHEET);
    await expect.poll(seen, { message: `question ${n}` }).toMatchObject({
      outcome: 1,
      begins: true,
      isHigher: false,
      isCut: false,
      isNextAfter: true,
    });
    const { isWhole, hasRoom } = await seen();
    expect(isWhole, `question ${n}`).toBe(hasRoom);
    if (n === 1) expect(await findingsOf(page)).toEqual([]);
    await visitor.button(n === count ? t.run.finish : t.run.next).click();
  }
});

test('a reload shows an answered question as before, from its first line', async () => {
  const { visitor, count } = await inLongest(10, PHONE);
  const { page, t } = visitor;
  const seen = () =>
    page.evaluate<{ heading: number; sheet: unknown }>(`({
    heading: Math.round(document.querySelector('main h1').getBoundingClientRect().top),
    sheet: ${SHEET},
  })`);
  for (let n = 1; n <= 5; n += 1) {
    await visitor.atQuestion(n, count);
    await visitor.answer('wrong');
    await page.getByLabel(t.run.explanation, { exact: true }).waitFor();
    await expect.poll(async () => (await seen()).sheet).toMatchObject({ hidden: [] });
    const before = await seen();
    await page.reload();
    await page.getByLabel(t.run.explanation, { exact: true }).waitFor();
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    // A font that arrives after the page has scrolled may move the text by a pixel.
    const isAsBefore = async () => {
      const { heading, sheet } = await seen();
      return { sheet, isMoved: Math.abs(heading - before.heading) > 1 };
    };
    await expect
      .poll(isAsBefore, { message: `question ${n}` })
      .toEqual({ sheet: before.sheet, isMoved: false });
    await visitor.button(t.run.next).click();
  }
});

test('the first wrong answer asks once how to go on, and the account keeps the choice', async () => {
  const { visitor, learner } = await inDrill();
  const { page, t } = visitor;
  await visitor.answer('right');
  await visitor.atQuestion(2, 10);
  await visitor.answer('wrong');
  await page.getByText(t.run.ask_advance).waitFor();
  await visitor.button(t.run.read_in_peace).click();
  expect(await page.getByText(t.run.ask_advance).count()).toBe(0);
  await expect.poll(() => choiceOf(learner.email)).toBe(false);
  await visitor.button(t.run.next).click();
  await visitor.atQuestion(3, 10);
  await visitor.answer('wrong');
  await page.getByLabel(t.run.explanation, { exact: true }).waitFor();
  expect(await page.getByText(t.run.ask_advance).count()).toBe(0);

  const other = await inDrill({ account: learner, language: english });
  await other.visitor.answer('right');
  await other.visitor.page.getByLabel(english.t.run.explanation, { exact: true }).waitFor();
  expect(await other.visitor.page.getByLabel(english.t.run.auto_advance).isChecked()).toBe(false);
  await other.visitor.page.getByLabel(english.t.run.auto_advance).check();
  await expect.poll(() => choiceOf(learner.email)).toBe(true);
  await other.visitor.atQuestion(2, 10);
});

test('"Next" without an answer to the question means to read in peace', async () => {
  const { visitor, learner } = await inDrill({ language: english });
  await visitor.answer('wrong');
  await visitor.page.getByText(english.t.run.ask_advance).waitFor();
  await visitor.button(english.t.run.next).click();
  await visitor.atQuestion(2, 10);
  await expect.poll(() => choiceOf(learner.email)).toBe(false);
});

test('a choice that this browser remembers moves into the account once', async () => {
  const learner = await newLearner(stack.current, { autoAdvance: null });
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/login');
  await visitor.page.evaluate(`localStorage.setItem('proveklar.auto-advance', 'off')`);
  await visitor.signIn(learner.email, learner.password);
  await visitor.startDrill();
  await visitor.atQuestion(1, 10);
  await expect.poll(() => choiceOf(learner.email)).toBe(false);
  await expect
    .poll(() => visitor.page.evaluate(`localStorage.getItem('proveklar.auto-advance')`))
    .toBeNull();
  await visitor.answer('wrong');
  await visitor.page.getByLabel(norwegian.t.run.explanation, { exact: true }).waitFor();
  expect(await visitor.page.getByText(norwegian.t.run.ask_advance).count()).toBe(0);
});

test('after an advance the last question can be opened, and reported', async () => {
  const { visitor } = await inDrill({ options: PHONE });
  const { page, t } = visitor;
  const asked = await page.getByRole('heading', { level: 1 }).innerText();
  await visitor.answer('right');
  await visitor.atQuestion(2, 10);
  const last = page.locator('main details').filter({ hasText: t.run.last_right });
  await last.locator('summary').tap();
  await last.getByText(asked).waitFor();
  await last.getByText(t.run.correct_answer).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await last.getByRole('button', { name: t.report.title }).tap();
  await page.getByRole('dialog').getByText(asked).waitFor();
  await visitor.button(t.report.send).tap();
  await page.getByText(t.report.thanks_text).waitFor();
  const { rows } = await stack.current.database.pool.query(
    `select question.question from feedback join question on question.id = question_id
     order by feedback.created_at desc limit 1`,
  );
  expect(rows).toEqual([{ question: asked }]);
});

test('a press on "Report" in the moment of an advance means the question before', async () => {
  const { visitor } = await inDrill();
  const { page, t } = visitor;
  const asked = await page.getByRole('heading', { level: 1 }).innerText();
  await visitor.answer('right');
  // Pressed by the page itself as soon as the guard is up: a test would come too late.
  await page.evaluate(`new Promise((done) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('[data-guarded="everything"]')) return;
      observer.disconnect();
      document.querySelector('[aria-haspopup="dialog"]').click();
      done();
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  })`);
  await page.getByRole('dialog').getByText(asked).waitFor();
  await visitor.button(t.actions.cancel).click();
});

test("a practice test leaves three quarters of a phone's screen to the question", async () => {
  const learner = await newLearner(stack.current, { autoAdvance: null });
  const visitor = await Visitor.open(browser.current, stack.current, norwegian, '/login', PHONE);
  const { page, t } = visitor;
  await visitor.signIn(learner.email, learner.password);
  await visitor.button(t.quiz.start_practice).click();
  await page.waitForURL(/\/quiz\/[0-9a-f-]{36}$/);
  await page.locator('[data-look]').first().waitFor();
  const top = async () => (await page.getByRole('heading', { level: 1 }).boundingBox())!.y;
  const atFirst = await top();
  expect(atFirst).toBeLessThanOrEqual(PHONE.viewport.height / 4);
  await page.locator('[data-look]').first().click();
  await visitor.atQuestion(2, 38);
  await page.getByText(t.saving.saved, { exact: true }).waitFor();
  // That it is saved moves nothing.
  expect(await top()).toBe(atFirst);
  expect(await findingsOf(page)).toEqual([]);
});
