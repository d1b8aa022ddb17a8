import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { uniqueEmail } from '#support/identity.ts';
import { useBrowser } from '#support/browser.ts';
import { LANGUAGES, Visitor } from '#support/journey.ts';
import { KeyboardUser } from '#support/keyboard.ts';
import { useStack } from '#support/stack.ts';

// A learner's whole journey by keyboard alone: nothing is clicked, and every field is reached by Tab.
const stack = useStack();
const browser = useBrowser();
const [norwegian] = LANGUAGES;
const { t } = norwegian;
const PASSWORD = 'et godt passord';
/** The card provider's labels of its fields. */
const CARD = { number: /Kortnummer/, expiry: /Utløpsdato/, cvc: /Sikkerhetskode/ };

const filled = (text: string, values: Record<string, string | number>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
const counter = (n: number, total: number) => filled(t.run.counter, { n, total });

/** The key of a right or wrong option of the current question, and the text of the right one. */
async function optionKey(page: Page, how: 'right' | 'wrong') {
  const question = await page.locator('h1').innerText();
  const { rows } = await stack.current.database.pool.query<{ answer: string; incorrect: string[] }>(
    'select answer, incorrect from question where question = $1',
    [question],
  );
  const { answer, incorrect } = rows[0]!;
  const options = await page.locator('main button[data-look]').allInnerTexts();
  const wanted = (option: string) =>
    how === 'right'
      ? option.endsWith(`\n${answer}`)
      : incorrect.some((one) => option.endsWith(`\n${one}`));
  return { key: String(options.findIndex(wanted) + 1), right: answer };
}

/** Sets how many seconds the test has left. */
async function leave(page: Page, seconds: number): Promise<void> {
  await stack.current.database.pool.query(
    `update quiz set deadline_at = now() + make_interval(secs => $2),
       started_at = now() + make_interval(hours => -1, secs => $2) where id = $1`,
    [page.url().split('/').at(-1), seconds],
  );
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
}

test('from the front page to a second purchase by keyboard and screen reader', async () => {
  const { page } = await Visitor.open(browser.current, stack.current, norwegian, '/');
  const user = await KeyboardUser.at(page);
  // A11Y_TRANSCRIPT=1 prints the transcript.
  onTestFinished(() => {
    if (process.env.A11Y_TRANSCRIPT) console.log(user.transcript.join('\n'));
  });
  const enter = async (what: string | RegExp) => {
    const passed = await user.tabTo(what);
    await user.press('Enter');
    return passed;
  };
  const button = (name: string) => `button "${name}"`;
  const link = (name: string) => `link "${name}"`;
  const headingOf = (name: string) => `heading "${name}"`;
  const untilAnswerable = () => page.locator('[data-guarded]').waitFor({ state: 'detached' });
  const answer = async (how: 'right' | 'wrong') => {
    await untilAnswerable();
    const { key, right } = await optionKey(page, how);
    await user.press(key);
    return right;
  };

  // The free sample.
  expect(await user.tabTo(link(t.app.skip_to_content))).toHaveLength(1);
  await enter(link(t.landing.try_sample));
  let previous = '';
  for (let n = 1; n <= 10; n += 1) {
    const heard = await user.arrives(counter(n, 10));
    if (n > 1) expect(heard).toContain(previous);
    else {
      await user.tabTo(`"${t.run.auto_advance}"`);
      await user.press('Space');
    }
    const how = n === 3 ? 'wrong' : 'right';
    const right = await answer(how);
    await user.hears(how === 'right' ? t.run.announce_right : `${t.run.announce_wrong} ${right}`);
    // The page advances in the middle of the sentence, so the sentence is repeated there.
    previous =
      how === 'right' ? t.run.announce_previous_right : `${t.run.announce_previous_wrong} ${right}`;
  }
  await user.arrives(filled(t.result.score, { score: 9, total: 10 }));
  await enter(filled(t.sample.show_wrong_one, { count: 1 }));
  await user.arrives(headingOf(t.result.wrong_title));

  // An account, and the payment.
  // Its name says the price, too.
  await enter(new RegExp(`link "${t.auth.create_account}`, 'u'));
  await user.arrives(headingOf(t.auth.create_account));
  await enter(button(t.registration.submit));
  await user.hears(t.fields.fill_in_all);
  expect(await user.arrives(`"${t.fields.username}"`)).toMatch(/ – .*invalid=true/);
  const email = uniqueEmail();
  await user.type('Demo');
  await user.tabTo(`"${t.fields.email}"`);
  await user.type(email);
  await user.tabTo(`"${t.fields.password}"`);
  await user.type(PASSWORD);
  await user.press('Enter');
  await pay(headingOf(t.registration.billing_title));
  await user.arrives(`dialog "${t.registration.success_title}" – `);
  await user.press('Enter');
  await user.arrives(headingOf(t.auth.login_title));

  await user.tabTo(`"${t.fields.password}"`);
  await user.type('feil passord');
  await user.press('Enter');
  await user.hears(t.auth.error.wrong_credentials);
  await user.arrives(/^(form .*)?alert/);
  await user.tabTo(`"${t.fields.password}"`, 'Shift+Tab');
  await user.press('ControlOrMeta+a');
  await user.type(PASSWORD);
  await user.press('Enter');
  await user.arrives(headingOf(filled(t.home.greeting, { name: 'Demo' })));

  // Today's practice, left before the first answer.
  await enter(button(t.learning.start));
  await user.arrives(counter(1, 10));
  await enter(button(t.run.exit));
  await user.arrives(headingOf(filled(t.home.greeting, { name: 'Demo' })));

  // A drill with instant feedback and manual advance, and a report.
  await user.tabTo(`"${t.quiz.question_count}"`);
  await user.press('ArrowUp');
  await enter(button(t.quiz.start_drill));
  await user.arrives(counter(1, 5));
  await user.tabTo(`"${t.run.auto_advance}"`);
  await user.press('Space');
  expect(await user.arrives(`"${t.run.auto_advance}"`)).not.toContain('checked=true');
  for (let n = 1; n <= 5; n += 1) {
    if (n > 1) await user.arrives(counter(n, 5));
    const how = n === 2 ? 'wrong' : 'right';
    const right = await answer(how);
    await user.hears(how === 'right' ? t.run.announce_right : `${t.run.announce_wrong} ${right}`);
    if (n === 2) {
      await user.tabTo(`"${t.run.explanation}" – `);
      await user.tabTo(`"${t.report.title}"`, 'Shift+Tab');
      await user.press('Enter');
      await user.arrives(`dialog "${t.report.title}"`);
      await enter(button(t.report.send));
      await user.arrives(t.report.thanks_text);
      await user.press('Escape');
      await user.arrives(button(t.report.title));
    }
    await enter(button(n === 5 ? t.run.finish : t.run.next));
  }
  await user.arrives(filled(t.result.score, { score: 4, total: 5 }));
  await enter(link(t.result.again));
  await user.arrives(headingOf(filled(t.home.greeting, { name: 'Demo' })));

  // A drill without instant feedback.
  await user.tabTo(`"${t.quiz.instant_feedback}"`);
  await user.press('Space');
  await enter(button(t.quiz.start_drill));
  for (let n = 1; n <= 5; n += 1) {
    const heard = await user.arrives(counter(n, 5));
    expect(heard).not.toContain(t.run.announce_previous_right);
    if (n === 1) {
      // Off, as chosen above, until it is chosen here.
      await user.tabTo(`"${t.run.auto_advance}"`);
      await user.press('Space');
    }
    await answer('right');
  }
  await user.arrives(filled(t.result.score, { score: 5, total: 5 }));
  await enter(link(t.actions.to_quiz_home));
  await user.arrives(headingOf(filled(t.home.greeting, { name: 'Demo' })));

  // A practice test.
  await enter(button(t.quiz.start_practice));
  await user.arrives(counter(1, 38));
  await user.press('m');
  await user.hears(filled(t.practice.announce_marked, { n: 1 }));
  await leave(page, 603);
  await user.hears(filled(t.practice.reminder_other, { count: 10 }));
  for (let n = 1; n <= 37; n += 1) {
    await user.arrives(counter(n, 38));
    await untilAnswerable();
    await user.press('abc'[n % 3]!);
  }
  await user.arrives(counter(38, 38));
  await untilAnswerable();
  await user.press('Enter');
  await user.arrives(
    `dialog "${t.run.hand_in_title}" – ${filled(t.run.hand_in_missing_one, { count: 1 })}`,
  );
  await enter(button(t.practice.hand_in_to_marked));
  await user.arrives(counter(1, 38));
  await user.press('m');
  await user.hears(filled(t.practice.announce_unmarked, { n: 1 }));
  await enter(filled(t.run.map_open, { n: 38 }));
  await user.arrives(counter(38, 38));
  await user.press('a');
  await user.hears(filled(t.run.announce_chosen, { letter: 'A' }));
  await user.press('Enter');
  await user.arrives(/heading .*(Bestått|Ikke bestått)/);
  await enter(link(t.actions.to_quiz_home));
  await user.arrives(headingOf(filled(t.home.greeting, { name: 'Demo' })));

  // The history, the account, more days.
  await user.tabTo(`tab "${t.home.tab_new}"`);
  await user.press('ArrowRight');
  await user.press('Enter');
  expect(await user.arrives(`tab "${t.home.tab_history}"`)).toContain('selected=true');
  await user.tabTo(/link "Praktisk prøve/);
  await user.tabTo(`tab "${t.home.tab_history}"`, 'Shift+Tab');
  await user.press('ArrowRight');
  await user.press('Enter');
  await user.arrives(`tab "${t.home.tab_account}"`);
  await enter(button(filled(t.profile.edit_what, { what: t.account.display_name })));
  await user.arrives(`"${t.profile.name.new}"`);
  await user.press('ControlOrMeta+a');
  await user.type('Kari');
  await user.press('Enter');
  await user.hears(t.profile.name.saved);
  await user.arrives(button(filled(t.profile.edit_what, { what: t.account.display_name })));
  await user.tabTo(link(t.account.extend));
  await user.press('Enter');
  await pay(headingOf(t.billing.title));
  await user.arrives(`dialog "${t.billing.success_title}" – `);
  await user.press('Enter');
  await user.arrives(headingOf(filled(t.home.greeting, { name: 'Kari' })));
  await user.tabTo(button(t.actions.sign_out), 'Shift+Tab');
  await user.press('Enter');
  await user.arrives(/heading/);

  /** Pays: from the page that shows what is bought through the fields of the card. */
  async function pay(screen: string): Promise<void> {
    await user.arrives(screen);
    await enter(button(t.payment.proceed));
    expect(await user.arrives('checkbox')).toMatch(/invalid=true/);
    await user.press('Space');
    await enter(button(t.payment.proceed));
    await user.arrives(headingOf(t.payment.title));
    await user.tabTo(CARD.number);
    await user.type('4242424242424242');
    // Each field moves the focus to the next when it is full.
    await user.arrives(CARD.expiry);
    await user.type('1240');
    await user.arrives(CARD.cvc);
    await user.type('123');
    await enter(/button "Betal 149/);
  }
});
