import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import purchaseEn from '../../frontend/src/texts/purchase.en.json' with { type: 'json' };
import purchaseNo from '../../frontend/src/texts/purchase.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { uniqueEmail } from '#support/identity.ts';
import { changeResponses, useBrowser } from '#support/browser.ts';
import { LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { layoutFaultsOf, motionFaultsOf } from '#support/layout.ts';
import { ApiLearner } from '#support/learner.ts';
import { bySize, testSeed } from '#support/settings.ts';
import { useOwnStack } from '#support/stack.ts';
import { randomFor } from '#support/random.ts';

// Over 400 lines: one list of the pages and states, from which a run draws by its seed.
// Checks every page and state that a learner meets against WCAG 2.1 AA: by axe, at 320 px, at 200 % zoom
// and with reduced motion. Once in Norwegian, light, on a desktop; once in English, dark, on a phone.
const stack = useOwnStack();
const browser = useBrowser();
const [norwegian, english] = LANGUAGES;
const LOOKS = [
  { language: norwegian, colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { language: english, colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const;
type Look = (typeof LOOKS)[number];

/** A run checks 20 of about 150 pages; with FULL=1 all. */
const SHARE = bySize({ quick: 20 / 150, large: 20 / 150, full: 1 });
const SEED = testSeed('these screens');

const SESSION = /\/api\/v1\/quiz\/[0-9a-f-]{36}$/;
const FAULT = { status: 500, json: { error: 'A fault', code: 'internal_error' } };

const LEARNING = '**/api/v1/learning?*';
/** Figures of today's practice, and a text that they show. */
function todaysStates({ learning, quiz }: Visitor['t']): [object, string][] {
  const today = { goal: 20, done: 4, due: 0, wrong_today: 0, new: 0 };
  const topic = { topic: 'Historie', total: 40, known: 40, unsure: 0, unseen: 0 };
  return [
    [{ topics: [] }, quiz.topics_empty],
    [{ today, topics: [topic] }, learning.finished],
    [{ today: { ...today, done: 20, due: 3, wrong_today: 2 } }, learning.goal_reached],
    [
      {
        today: { ...today, due: 6, new: 10 },
        streak: { days: 3, forgiven_used: 0 },
        readiness: { probability: 0.62, low: 0.48, high: 0.75, answers: 60 },
        next_step: { kind: 'new', topic: `Historie${LONG}`, questions: 10 },
      },
      learning.readiness.step,
    ],
  ];
}

// Norwegian has words that are wider than a small screen. Every question gets one.
const LONG = ' Arbeidsmarkedsopplæringsforskriften';
beforeAll(async () => {
  await stack.current.database.pool.query(
    'update question set question = question || $1, explanation = explanation || $1',
    [LONG],
  );
});

/** The path of a page, with `id` for each quiz id, so that a seed draws the same pages again. */
const pathOf = (url: string) => new URL(url).pathname.replace(/[0-9a-f-]{36}/, 'id');

const filled = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));

/** A visitor who checks the pages they see; the findings are in `faults`. */
async function inspector(look: Look, path: string, { always = false } = {}) {
  const visitor = await Visitor.open(browser.current, stack.current, look.language, path);
  const { page, t } = visitor;
  const { colorScheme, viewport } = look;
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize(viewport);
  const purchase = look.language === norwegian ? purchaseNo : purchaseEn;
  const faults: string[] = [];

  /** Waits for `what`, which shows that the page is there, and checks the page. */
  async function sees(what: Locator | string): Promise<void> {
    await (typeof what === 'string' ? page.getByText(what).first() : what).waitFor();
    const where = typeof what === 'string' ? what : String(what);
    const at = `${look.language.language} ${pathOf(page.url())} at ${where}`;
    if (!always && !randomFor(SEED, at).chance(SHARE)) return;
    const found = [
      ...(await findingsOf(page)),
      ...(await motionFaultsOf(page)),
      ...(await layoutFaultsOf(page)),
    ];
    faults.push(...found.map((fault) => `${at}: ${fault}`));
    if (process.env.A11Y_SCREENS) {
      const { language } = look.language;
      const path = `${process.env.A11Y_SCREENS}/${language}-${Date.now()}.png`;
      await page.screenshot({ path, fullPage: true });
    }
  }
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).first();
  const dialog = page.getByRole('dialog');
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
  const goTo = (to: string) => page.goto(stack.current.url + to);
  return { visitor, page, t, purchase, faults, sees, heading, dialog, inDialog, goTo };
}
type Inspector = Awaited<ReturnType<typeof inspector>>;

/** Runs both variants at the same time, each with its own page. */
async function withBothLooks(path: string, walk: (inspector: Inspector) => Promise<void>) {
  const inspectors = await Promise.all(LOOKS.map((look) => inspector(look, path)));
  await Promise.all(inspectors.map(walk));
  expect(inspectors.flatMap(({ faults }) => faults)).toEqual([]);
}

test('an inspector finds planted faults', async () => {
  const { page, faults, sees } = await inspector(LOOKS[0], '/', { always: true });
  await page.setContent(
    `<!doctype html><html lang="en"><title>Planted</title><main><h1>Planted</h1>
     <p style="width: 25rem; color: #bbb; background: #fff">Pale, and wider than a small screen</p>
     <p style="height: 1rem; overflow: hidden">Cut<br>off</p>
     <p style="transition: color 1s">Moves</p><button></button></main>`,
  );
  await sees('Pale');
  const all = faults.join('\n');
  for (const fault of [
    /color-contrast: p:nth-child/,
    /button-name: button/,
    /320 px: scrolls sideways/,
    /320 px: beyond the edge: p "Pale/,
    /200 %: cut off: p "Cut/,
    /moves: p "Moves/,
  ]) {
    expect(all).toMatch(fault);
  }
});

const PAGES = ['/personvern', '/vilkar', '/cookies', '/tilgjengelighet', '/angrerett', '/nothing'];

test('the public pages', async () => {
  await withBothLooks('/', async ({ visitor, page, t, purchase, sees, heading, goTo }) => {
    await sees(heading(t.landing.headline));
    for (const path of PAGES) {
      await goTo(path);
      await sees(page.getByRole('heading', { level: 1 }));
    }

    await goTo('/betalt');
    const { payment_search: search } = purchase;
    await sees(heading(search.title));
    await visitor.button(search.start).click();
    await sees(search.email_invalid);
    await visitor.fill(search.email, uniqueEmail());
    await visitor.button(search.start).click();
    await sees(heading(search.started_title));

    await goTo('/login');
    await sees(visitor.button(t.auth.sign_in));
    await visitor.button(t.auth.sign_in).click();
    await sees(t.fields.fill_in_all);
    await visitor.button(t.auth.google).click();
    await sees(page.getByRole('dialog'));
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: t.auth.forgot }).click();
    await sees(heading(t.auth.reset_title));
    await visitor.fill(t.fields.email, uniqueEmail());
    await visitor.button(t.auth.reset_send).click();
    await sees(heading(t.auth.reset_sent_title));

    await goTo('/quiz/deleted');
    await sees(heading(t.profile.delete.done_title));
    // And the page that is shown after an unexpected error.
    await page.route('**/api/v1/sample?*', (route) => route.fulfill(FAULT));
    await goTo('/smakebit');
    await sees(filled(t.quiz.failed.questions, { status: t.error.status_500 }));
    await page.unroute('**/api/v1/sample?*');
    await page.route('**/api/v1/sample?*', (route) => route.fulfill({ json: { questions: [] } }));
    await page.reload();
    await sees(heading(t.sample.empty_title));

    await goTo('/');
    await page.waitForFunction('navigator.serviceWorker.ready.then(() => true)');
    await page.context().setOffline(true);
    await page.reload();
    await sees(page.getByRole('heading', { level: 1 }));
  });
});

test('the free sample, and the way to an account', async () => {
  await withBothLooks('/smakebit', async (inspector) => {
    const { visitor, page, t, purchase, sees, heading, goTo } = inspector;
    await visitor.atQuestion(1, 10);
    await sees(page.getByRole('heading', { level: 1 }));
    await page.getByLabel(t.run.auto_advance).uncheck();
    for (let n = 1; n <= 10; n += 1) {
      await visitor.atQuestion(n, 10);
      await visitor.answer(n === 2 ? 'wrong' : 'right');
      if (n === 2) await sees(page.getByText(t.run.correct_answer, { exact: true }));
      await visitor.button(n === 10 ? t.run.finish : t.run.next).click();
    }
    await sees(heading(t.result.excellent));
    await visitor.button(filled(t.sample.show_wrong_one, { count: 1 })).click();
    await sees(t.result.wrong_title);

    const email = uniqueEmail();
    await goTo('/quiz?mode=register');
    await sees(heading(t.auth.create_account));
    await visitor.button(t.registration.submit).click();
    await sees(t.fields.fill_in_all);
    await visitor.fill(t.fields.username, 'Demo');
    await visitor.fill(t.fields.email, email);
    await visitor.fill(t.fields.password, 'et godt passord');
    await visitor.button(t.registration.submit).click();
    await sees(heading(t.registration.billing_title));
    await visitor.button(t.payment.proceed).click();
    await sees(purchase.payment.consent_missing);
    await visitor.agree();
    await visitor.button(t.payment.proceed).click();
    await sees(page.locator('input[name=number]'));
    await visitor.payWith('4000000000000002');
    await sees(page.getByRole('alert'));
    await visitor.payWith('4242424242424242');
    await sees(page.getByRole('dialog').getByText(t.registration.success_title));
  });
});

test('the quiz home and the account, empty and filled', async () => {
  await withBothLooks('/login', async (inspector) => {
    const { visitor, page, t, purchase, sees, heading, dialog, inDialog, goTo } = inspector;
    const learner = await newLearner(stack.current);
    const api = await ApiLearner.signIn(stack.current, learner);
    const change = (what: string) => visitor.button(filled(t.profile.edit_what, { what })).click();
    await visitor.signIn(learner.email, learner.password);
    await sees(visitor.button(t.quiz.start_drill));
    await goTo('/quiz?tab=history');
    await sees(t.history.empty_text);
    await goTo('/quiz?tab=contact');
    await sees(t.contact.text);

    await goTo('/quiz?tab=account');
    await page.getByText(purchase.receipts.empty).waitFor();
    await sees(heading(t.profile.data.title));
    await change(t.account.display_name);
    await change(t.account.email);
    await change(t.fields.password);
    await sees(visitor.button(t.profile.password.submit));
    await visitor.button(t.profile.password.submit).click();
    await visitor.fill(t.profile.name.new, 'Kari Nordmann');
    await visitor.button(t.profile.save).click();
    await page.getByText(t.profile.name.saved).waitFor();
    await sees(t.fields.fill_in_all);
    await visitor.button(t.profile.delete.begin).click();
    await sees(heading(t.profile.delete.confirm_title));
    await inDialog(t.profile.delete.submit).click();
    await sees(t.profile.delete.password_missing);

    await goTo('/quiz/billing');
    await sees(visitor.button(t.payment.proceed));
    await visitor.agree();
    await visitor.button(t.payment.proceed).click();
    await sees(page.locator('input[name=number]'));
    await visitor.payWith('4242424242424242');
    await sees(dialog.getByText(t.billing.success_title));
    await goTo('/quiz?tab=account');
    await page.getByRole('link', { name: /149/ }).first().waitFor();
    await sees(heading(purchase.receipts.title));
    await page.getByRole('link', { name: /149/ }).first().click();
    await sees(heading(purchase.receipts.heading));
    await visitor.button(purchase.withdrawal.begin).click();
    await sees(heading(purchase.withdrawal.confirm_title));
    await inDialog(purchase.withdrawal.confirm).click();
    await sees(purchase.withdrawal.done);

    await api.play({ topic: 'all', question_count: 5 }, 5);
    await api.play({ topic: 'all', question_count: 20 }, 1, 'wrong');
    await api.play({ topic: 'Praktisk prøve' }, 10);
    const open = await api.start({ topic: 'all' });
    await api.answer(open, 2);
    await goTo('/quiz');
    await page.getByRole('link', { name: t.quiz.continue }).waitFor();
    await sees(heading(t.progress.next));
    await page.getByRole('button', { name: new RegExp(`^${t.quiz.exit}:`) }).click();
    await sees(heading(t.run.exit_title));
    await goTo('/quiz?tab=history');
    await sees(heading(t.history.title));
    await goTo('/quiz/progress');
    await page.getByRole('table', { name: t.progress.table }).waitFor();
    await sees(heading(t.progress.topics));

    await goTo('/quiz');
    await page.locator('summary', { hasText: t.learning.plan.title }).click();
    await sees(visitor.button(t.learning.plan.save));
    await page.locator('input[type=date]').fill('2020-01-01');
    await visitor.button(t.learning.plan.save).click();
    await sees(t.learning.plan.exam_date_invalid);
    for (const [figures, shown] of todaysStates(t)) {
      await changeResponses(page, LEARNING, (real) => ({ ...real, ...figures }));
      await page.reload();
      await sees(shown);
    }
    await page.unrouteAll({ behavior: 'wait' });
    await stack.current.database.pool.query(
      // More than has been answered by now: after a set, the next one is offered.
      `insert into learner_plan (account_id, exam_date, daily_goal)
       select id, current_date - 2, 50 from account where email = $1
       on conflict (account_id)
         do update set exam_date = excluded.exam_date, daily_goal = excluded.daily_goal`,
      [learner.email],
    );
    await page.reload();
    await sees(heading(t.learning.outcome.title));
    await visitor.button(t.learning.outcome.yes).click();
    await sees(t.learning.outcome.thanks_passed);
    const set = await api.play({ topic: 'today' }, 6, 'wrong');
    await goTo(`/quiz/${set}/result`);
    await sees(visitor.button(t.learning.set.next));

    await page.route(LEARNING, (route) => route.fulfill(FAULT));
    await page.route(/\/api\/v1\/quiz\/(history|progress)/, (route) => route.fulfill(FAULT));
    await page.route('**/api/v1/account', (route) => route.fulfill(FAULT));
    await goTo('/quiz?tab=history');
    await sees(t.history.failed);
    await goTo('/quiz');
    await sees(t.learning.failed);
    await goTo('/quiz?tab=account');
    await sees(t.account.load_failed);
    await page.route('**/quiz/start', (route) => route.fulfill(FAULT));
    await goTo('/quiz');
    await visitor.button(t.quiz.start_drill).click();
    await sees(filled(t.quiz.failed.start, { status: t.error.status_500 }));
    await page.route(SESSION, (route) => route.fulfill(FAULT));
    await goTo(`/quiz/${open.id}`);
    await sees(heading(t.error.title));
  });
});

test('drills and practice tests, and their results', async () => {
  await withBothLooks('/login', async (inspector) => {
    const { visitor, page, t, sees, heading, dialog, inDialog, goTo } = inspector;
    const learner = await newLearner(stack.current);
    const api = await ApiLearner.signIn(stack.current, learner);
    const language = t.quiz.topic === 'Tema' ? 'no' : 'en';
    await visitor.signIn(learner.email, learner.password);

    const drill = await api.start({ topic: 'all', question_count: 5, language });
    await goTo(`/quiz/${drill.id}`);
    await visitor.atQuestion(1, 5);
    await sees(page.getByRole('heading', { level: 1 }));
    await page.getByLabel(t.run.auto_advance).uncheck();
    await visitor.answer('wrong');
    await page.getByText(t.run.correct_answer, { exact: true }).waitFor();
    const inOther = language === 'no' ? t.language.in_english : t.language.in_norwegian;
    await page.locator('summary', { hasText: inOther }).click();
    await sees(page.locator('details [lang]').first());
    await visitor.button(t.report.title).click();
    await sees(heading(t.report.title));
    await inDialog(t.report.send).click();
    await sees(heading(t.report.thanks_title));
    await page.keyboard.press('Escape');
    await visitor.button(t.run.next).click();
    await visitor.atQuestion(2, 5);
    await visitor.answer('right');
    await sees(page.getByText(t.run.right, { exact: true }));
    await visitor.button(t.run.next).click();
    await page.route('**/answer', (route) => route.fulfill(FAULT));
    await visitor.answer('right');
    await sees(t.saving.busy);
    // Clicked while it still fails: afterwards the answer is sent without a click, and the button disappears.
    await visitor.button(t.saving.try_now).click();
    await page.unroute('**/answer');
    await page.getByText(t.run.right, { exact: true }).waitFor();
    await visitor.button(t.run.next).click();
    await page.context().setOffline(true);
    await visitor.answer('right');
    await sees(t.saving.offline);
    await visitor.button(t.run.exit).click();
    await sees(heading(t.run.exit_title));
    await page.context().setOffline(false);
    await api.call(`quiz/${drill.id}/cancel`, {});
    await page.reload();
    await sees(heading(t.run.cancelled_title));

    const quiet = { topic: 'all', question_count: 5, instant_feedback: false, language };
    for (const right of [0, 4, 5]) {
      await goTo(`/quiz/${await api.play(quiet, right)}/result`);
      await sees(filled(t.result.score, { score: right, total: 5 }));
    }

    const exam = { topic: 'Praktisk prøve', language };
    const { id } = await api.start(exam);
    await goTo(`/quiz/${id}`);
    await visitor.atQuestion(1, 38);
    await visitor.button(t.practice.mark).click();
    await sees(page.getByRole('timer'));
    await visitor.answer('wrong');
    // Who advances by hand in a drill does so here too, until they choose otherwise.
    await visitor.button(t.run.next).click();
    await visitor.atQuestion(2, 38);
    const map = page.locator('details:not([open]) > summary', { hasText: t.run.map });
    if (await map.isVisible()) await map.click();
    await visitor.button(t.practice.hide_clock).click();
    await sees(visitor.button(t.practice.next_marked));
    await page.getByRole('button', { name: filled(t.run.map_open, { n: 38 }) }).click();
    await visitor.atQuestion(38, 38);
    await visitor.button(t.run.hand_in).click();
    await sees(dialog.getByText(filled(t.run.hand_in_missing_other, { count: 37 })));
    await page.keyboard.press('Escape');
    await page.route('**/quiz/*/end', (route) => route.abort());
    await stack.current.database.pool.query(
      `update quiz set deadline_at = now() + interval '8 seconds',
           started_at = now() - interval '59 minutes 52 seconds' where id = $1`,
      [id],
    );
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
    await sees(heading(t.practice.up_title));
    await page.unroute('**/quiz/*/end');
    await page.waitForURL('**/result');
    await sees(page.getByText(t.result.not_passed, { exact: true }));
    await page
      .getByRole('button', { name: /(uten svar|without an answer)( \(\d+\))?$/ })
      .first()
      .click();
    await sees(page.getByRole('heading', { name: /^(Uten svar|Without an answer) \(3[34]\)$/ }));
    await goTo(`/quiz/${await api.play(exam)}/result`);
    await sees(page.getByText(t.result.passed, { exact: true }));
  });
});
