import { describe, expect, test } from 'vitest';
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { addQuestions } from '#support/factories.ts';
import { drawLanguages, newLearner, Visitor } from '#support/journey.ts';
import { ApiLearner } from '#support/learner.ts';
import { useStack } from '#support/stack.ts';

const stack = useStack();
const browser = useBrowser();

describe.each(drawLanguages())('the history and a report ($language)', (language) => {
  const { t } = language;

  async function readReports(email: string): Promise<unknown[]> {
    const { rows } = await stack.current.database.pool.query(
      `select reason, comment from feedback join account on account.id = account_id
       where email = $1 order by feedback.created_at`,
      [email],
    );
    return rows;
  }

  /** Answers wrongly. The automatic advance after that must wait while the dialog is open. */
  async function reportBeforeAdvance(visitor: Visitor): Promise<void> {
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.clock.install();
    const opened = Promise.withResolvers<void>();
    await page.route('**/answer', (route) => opened.promise.then(() => route.continue()), {
      times: 1,
    });
    await visitor.answer('wrong');
    await visitor.button(t.report.title).click();
    await dialog.getByRole('button', { name: t.report.send }).waitFor();
    opened.resolve();
    await page.getByText(t.run.correct_answer, { exact: true }).waitFor();
    await page.clock.fastForward(10_000);
    await visitor.atQuestion(3, 10);
    await dialog.getByRole('button', { name: t.report.send }).click();
    await dialog.getByText(t.report.thanks_text).waitFor();
    await page.keyboard.press('Escape');
  }

  test('a finished quiz is in the history, and its questions can be reported', async () => {
    const { email, password } = await newLearner(stack.current);
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const history = page.getByRole('tab', { name: t.home.tab_history });
    await visitor.signIn(email, password);
    await history.click();
    await page.getByText(t.history.empty_text).waitFor();
    await page.getByRole('link', { name: t.history.empty_action }).click();

    await visitor.startDrill();
    for (let n = 1; n <= 10; n += 1) {
      await visitor.atQuestion(n, 10);
      if (n === 3) await reportBeforeAdvance(visitor);
      else await visitor.answer('right');
    }
    await page.waitForURL('**/result');
    expect(await readReports(email)).toEqual([{ reason: null, comment: null }]);

    await page.getByRole('link', { name: t.actions.to_quiz_home }).click();
    await history.click();
    const share = language.language === 'en' ? '90%' : '90\u00a0%';
    const run = page.getByRole('listitem').getByRole('link', { name: share });
    expect(await run.innerText()).toContain(
      t.result.score.replace('{{score}}', '9').replace('{{total}}', '10'),
    );
    await run.click();
    await page.waitForURL('**/result');

    await page
      .getByRole('button', { name: t.result.show_wrong_one.replace('{{count}}', '1') })
      .click();
    await page.locator('h2:focus', { hasText: t.result.wrong_title }).waitFor();
    await visitor.button(t.report.title).click();
    await dialog.getByRole('radio', { name: t.report.reasons.outdated }).check();
    await dialog.getByRole('textbox', { name: t.report.comment }).fill('Loven er ny.');
    // The answers are read again in the background, in vain: what is shown and typed stays.
    await page.route('**/api/v1/questions?*', (route) => route.abort());
    await page.clock.fastForward(60_000);
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    await page.getByText(t.quiz.failed.questions.split('{{')[0]!).waitFor();
    await page.unroute('**/api/v1/questions?*');
    await page.route('**/feedback', (route) => route.abort(), { times: 1 });
    await dialog.getByRole('button', { name: t.report.send }).click();
    await dialog.getByRole('alert').waitFor();
    visitor.complaints = [];
    await dialog.getByRole('button', { name: t.actions.retry }).click();
    await dialog.getByText(t.report.thanks_text).waitFor();
    // A learner has one report per question: the second one has replaced it.
    expect(await readReports(email)).toEqual([{ reason: 'outdated', comment: 'Loven er ny.' }]);
    expect(visitor.complaints).toEqual([]);
    await page.keyboard.press('Escape');

    // While one quiz is being started, no other one is.
    const isStarted = Promise.withResolvers<void>();
    await page.route('**/quiz/start', (route) => isStarted.promise.then(() => route.continue()));
    await visitor.button(t.progress.mistakes).click();
    const again = new RegExp(`${t.progress.again.split('{{topic}}')[1]!}$`);
    await page.getByRole('button', { name: again, disabled: true }).waitFor();
    isStarted.resolve();
    await page.waitForURL(/\/quiz\/[0-9a-f-]{36}$/);
  });

  test('more of the history is loaded with the focus on its first quiz, also after a failure', async () => {
    const learner = await newLearner(stack.current);
    await stack.current.database.pool.query(
      `insert into quiz (account_id, kind, topic, language, instant_feedback, state, started_at,
         ended_at, score, total)
       select account.id, 'drill', 'Historie', 'no', true, 'ended', now() - make_interval(hours => n),
         now() - make_interval(mins => 50 * n), 5, 10
       from account, generate_series(1, 22) n where email = $1`,
      [learner.email],
    );
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
    const { page } = visitor;
    // Once it is open, everything is read again, in place of a page that is being loaded.
    await page.route('**/api/v1/events', (route) => route.abort());
    await visitor.signIn(learner.email, learner.password);
    await page.getByRole('tab', { name: t.home.tab_history }).click();
    await visitor.button(t.history.show_more).waitFor();

    const nextPage = /quiz[/]history[?].*before=/;
    await page.route(nextPage, (route) => route.fulfill({ status: 400, json: {} }));
    await visitor.button(t.history.show_more).click();
    const retry = visitor.button(t.actions.retry);
    await retry.waitFor();
    await page.unroute(nextPage);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/quiz/history')) asked.push(request.url());
    });
    await retry.click();
    await page.locator('li:nth-child(21) > a:focus').waitFor();
    expect(asked).toEqual([expect.stringContaining('before=')]);
    expect(await visitor.button(t.history.show_more).count()).toBe(0);
  });

  test('more than ten mistakes are practised in sets by topic', async () => {
    const learner = await newLearner(stack.current);
    const api = await ApiLearner.signIn(stack.current, learner);
    for (const topic of (await api.topics(language.language)).slice(0, 2)) {
      await api.play({ topic, language: language.language, question_count: 7 }, 0, 'wrong');
    }
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
    const { page } = visitor;
    await visitor.signIn(learner.email, learner.password);
    await visitor.button(t.progress.practise_mistakes.replace('{{n}}', '14')).click();
    await visitor.button(t.progress.sets_all.replace('{{n}}', '14')).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page
      .getByRole('button', { name: /\(7\)$/ })
      .first()
      .click();
    await visitor.atQuestion(1, 7);
    await page.goto(`${stack.current.url}/quiz`);
    await visitor.button(t.progress.practise_mistakes.replace('{{n}}', '14')).click();
    await visitor.button(t.progress.sets_all.replace('{{n}}', '14')).click();
    await visitor.atQuestion(1, 10);
  });

  test('a topic with fewer questions than asked for says so before the start', async () => {
    const { pool } = stack.current.database;
    const topic = `Øvingstema ${crypto.randomUUID()}`;
    const rows = ['A', 'B', 'C'].map((name) => ({
      language: language.language,
      topic,
      question: `${name}? (${topic.slice(-6)})`,
      answer: 'Ja',
      incorrect: ['Nei', 'Kanskje'],
    }));
    await addQuestions(pool, rows, topic);
    await pool.query('insert into bank_revision default values');
    const { email, password } = await newLearner(stack.current);
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
    const { page } = visitor;
    await visitor.signIn(email, password);
    const choice = page.getByLabel(t.quiz.topic, { exact: true });
    expect(await choice.locator('option').first().innerText()).toBe(t.quiz.all_topics);
    expect(await choice.inputValue()).not.toBe('all');
    await choice.selectOption(topic);
    await page.getByText(t.quiz.fewer_other.replace('{{count}}', '3')).waitFor();
    await visitor.startDrill();
    await visitor.atQuestion(1, 3);
  });

  test('mistakes and weak topics can be practised at once', async () => {
    const { email, password } = await newLearner(stack.current);
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login');
    const { page } = visitor;
    const toHome = () => page.getByRole('link', { name: t.actions.to_quiz_home }).click();
    const history = page.getByRole('tab', { name: t.home.tab_history });
    const mistakes = (n: number) =>
      visitor.button(t.progress.practise_mistakes.replace('{{n}}', `${n}`));
    // The topic's number of questions, which follows, depends on the bank.
    const share = (right: number, met: number) =>
      new RegExp(
        t.progress.share_of_all
          .replace('{{right}}', `${right}`)
          .replace('{{met}}', `${met}`)
          .replace('{{total}}', String.raw`\d+`),
      );
    const finish = async (...how: ('right' | 'wrong')[]) => {
      for (const [index, which] of how.entries()) {
        await visitor.atQuestion(index + 1, how.length);
        await visitor.answer(which);
      }
      await page.waitForURL('**/result');
    };

    await visitor.signIn(email, password);
    const count = page.getByLabel(t.quiz.question_count);
    await count.selectOption('5');
    expect(await page.getByText(t.progress.next, { exact: true }).count()).toBe(0);
    await visitor.startDrill();
    await finish('wrong', 'right', 'wrong', 'right', 'right');
    const again = new RegExp(t.progress.again.replace('{{topic}}', '(.+)'));
    const [, topic = ''] = again.exec(await page.getByText(again).innerText()) ?? [];
    // One way to the mistakes: what there is to see, and below it the practice.
    expect(await visitor.button(t.progress.mistakes).count()).toBe(0);
    await visitor.button(t.result.show_wrong_other.replace('{{count}}', '2')).click();
    await visitor.button(t.progress.mistakes).click();
    await finish('right', 'wrong');

    await toHome();
    expect(await count.inputValue()).toBe('5');
    await mistakes(1).waitFor();
    await history.click();
    await page.getByRole('link', { name: t.progress.show }).click();
    await page.getByText(share(4, 5)).waitFor();
    const results = page.getByRole('table', { name: t.progress.table });
    expect(await results.getByRole('row').count()).toBe(3);
    expect(await findingsOf(page)).toEqual([]);
    await page
      .getByRole('button', {
        name: t.progress.practise_weakest.replace('{{topic}}', topic),
      })
      .waitFor();
    await mistakes(1).click();
    await finish('right');

    await toHome();
    await visitor.button(t.quiz.start_drill).waitFor();
    expect(await page.getByText(t.progress.next, { exact: true }).count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });
});
