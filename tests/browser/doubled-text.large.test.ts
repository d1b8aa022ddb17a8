import { expect, test } from 'vitest';
import { useBrowser } from '#support/browser.ts';
import { LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { DOUBLE_TEXT, overlapsOf } from '#support/layout.ts';
import { ApiLearner } from '#support/learner.ts';
import { useOwnStack } from '#support/stack.ts';

// A long topic of another file's test is cut off on purpose.
const stack = useOwnStack();
const browser = useBrowser();
const PHONE = {
  viewport: { width: 360, height: 640 },
  hasTouch: true,
  reducedMotion: 'reduce',
} as const;

test.each(LANGUAGES)(
  'with the text doubled on a phone, nothing overlaps or is cut off from the landing page to the result ($language)',
  async (language) => {
    const learner = await newLearner(stack.current, { autoAdvance: null });
    const api = await ApiLearner.signIn(stack.current, learner);
    const ended = await api.play({ topic: 'all' }, 4, 'wrong');
    const drill = await api.start({ topic: 'all' });
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login', PHONE);
    const { page, t } = visitor;
    await page.addInitScript(DOUBLE_TEXT);
    const faults: Record<string, string[]> = {};
    async function look(name: string) {
      faults[name] = await overlapsOf(page);
    }

    await page.goto(stack.current.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await look('landing');
    await page.goto(`${stack.current.url}/login`);
    await visitor.button(t.auth.sign_in).waitFor();
    await look('login');
    await visitor.signIn(learner.email, learner.password);
    await visitor.button(t.actions.sign_out).waitFor();
    await page.getByRole('heading', { name: t.quiz.today }).waitFor();
    await look('home');
    await page.goto(`${stack.current.url}/quiz/${drill.id}`);
    await visitor.atQuestion(1, 10);
    await look('question');
    await visitor.answer('wrong');
    await page.getByText(t.run.ask_advance).waitFor();
    await look('answer');
    await page.goto(`${stack.current.url}/quiz/${ended}/result`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await look('result');
    const pages = ['landing', 'login', 'home', 'question', 'answer', 'result'];
    expect(faults).toEqual(Object.fromEntries(pages.map((name) => [name, []])));
  },
);
