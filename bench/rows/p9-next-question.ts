import type { CDPSession, Page } from 'playwright-core';
import { openBrowser } from '#support/browser.ts';
import { signIn, startDemo, type Demo } from '#support/demo.ts';
import { median, percentile } from '#support/figures.ts';
import type { Bench, Measurement, Row } from '#row.ts';

/** The CPU is slowed by it, as Lighthouse does for a mid-range phone. */
const SLOWDOWN = 4;
const PHONE = { width: 360, height: 640, deviceScaleFactor: 2, mobile: true };
const LIMIT_MS = 100;

/**
 * The taps that show the next question, by what the quiz is: its `options` are tapped, or "next" after the
 * feedback on an answer.
 */
const QUIZZES = [
  { name: 'an option, without feedback', instant_feedback: false },
  { name: '"next", after the feedback', instant_feedback: true },
] as const;

export const row: Row = {
  id: 'P9',
  title: 'Next question on a slow phone',
  sides: { value: 'p95 from a tap to the next question painted', limit: '100 ms' },
  unit: 'ms',
  target: { at: 'most', ratio: 1 },
  measure,
};

interface Tap {
  /** From the tap until the frame with the next question was painted. */
  painted: number;
  /** The longest interaction of the tap, as the browser's Event Timing reports it, in steps of 8 ms. */
  interaction: number;
  /**
   * CPU milliseconds of the page's main thread meanwhile, which other processes on the host hardly change: all, and
   * for scripts, layout and styles.
   */
  cpu: Record<(typeof CPU)[number], number>;
}

const CPU = ['TaskDuration', 'ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'] as const;

async function measure(bench: Bench): Promise<Measurement> {
  const questions = bench.quick ? 6 : 50;
  const browser = await openBrowser(bench.scratch.dir, bench.say);
  const demo = await startDemo(bench).catch(async (error: unknown) => {
    await browser.context.close();
    throw error;
  });
  try {
    const page = await browser.context.newPage();
    const devtools = await browser.context.newCDPSession(page);
    await devtools.send('Emulation.setDeviceMetricsOverride', PHONE);
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await signIn(browser.context, demo);
    const results = [];
    for (const { name, instant_feedback } of QUIZZES) {
      const id = await startQuiz(demo, {
        topic: 'all',
        question_count: questions,
        instant_feedback,
      });
      await page.goto(`${demo.url}/quiz/${id}`);
      await page.locator('[data-look=open]').first().waitFor();
      await page.evaluate(OBSERVER);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
      const taps: Tap[] = [];
      for (let n = 1; n < questions; n += 1) {
        if (instant_feedback) await answer(page, devtools);
        taps.push(await tapToNext(page, devtools, instant_feedback ? NEXT : OPTION));
      }
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      // The first taps run code that has not been compiled yet, as for every learner: they count.
      const painted = taps.map((tap) => tap.painted);
      results.push({ name, taps, painted });
      bench.say(`${name}: p95 ${percentile(95, painted).toFixed(0)} ms`);
    }
    return {
      value: Math.max(...results.map(({ painted }) => percentile(95, painted))),
      limit: LIMIT_MS,
      notes: [
        `CPU slowed ${SLOWDOWN} times by Chromium, ${PHONE.width} × ${PHONE.height}, touch; ${questions} questions`,
        'Other processes on the host slow the taps, too',
      ],
      table: [
        ['tap on', 'taps', 'median, ms', 'p95', 'slowest', 'interaction p95', ...CPU_HEADINGS],
        ...results.map(({ name, taps, painted }) => [
          name,
          String(taps.length),
          ...[
            median(painted),
            percentile(95, painted),
            Math.max(...painted),
            percentile(
              95,
              taps.map(({ interaction }) => interaction),
            ),
            ...CPU.map((part) => median(taps.map(({ cpu }) => cpu[part]))),
          ].map((ms) => ms.toFixed(0)),
        ]),
      ],
    };
  } finally {
    await demo.stop();
    await browser.context.close();
  }
}

const CPU_HEADINGS = ['CPU median', 'of it scripts', 'layout', 'styles'];

interface QuizToStart {
  topic: string;
  question_count: number;
  instant_feedback: boolean;
}

/** @returns the quiz's id */
async function startQuiz(demo: Demo, quiz: QuizToStart): Promise<string> {
  const response = await fetch(`${demo.url}/api/v1/quiz/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await demo.token()}`, 'content-type': 'application/json' },
    body: JSON.stringify(quiz),
  });
  if (!response.ok) throw new Error(`Starting a quiz failed: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

const OPTION = '[data-look=open]';
const NEXT = 'main > :last-child > :last-child > button:last-child';

/** Answers the question, and waits for the feedback. */
async function answer(page: Page, devtools: CDPSession): Promise<void> {
  await tap(page, devtools, OPTION);
  await page.locator('[data-answer]').waitFor();
  // The first wrong answer asks whether to advance automatically; "next" means no.
  await page.locator(`${NEXT}:enabled`).waitFor();
}

async function tapToNext(page: Page, devtools: CDPSession, target: string): Promise<Tap> {
  await page.evaluate('window.waitForNext()');
  const before = await cpuOf(devtools);
  await tap(page, devtools, target);
  const painted = await page.evaluate<number>('window.nextPainted');
  const after = await cpuOf(devtools);
  const interaction = await page.evaluate<number>('window.longestInteraction()');
  // A double tap is refused for 300 ms, as for a learner.
  await page.locator('[data-guarded]').waitFor({ state: 'detached' });
  const spent = CPU.map((part) => [part, after[part] - before[part]] as const);
  return { painted, interaction, cpu: Object.fromEntries(spent) as Tap['cpu'] };
}

async function cpuOf(devtools: CDPSession): Promise<Tap['cpu']> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const found = CPU.map((part) => {
    const seconds = metrics.find(({ name }) => name === part)?.value ?? Number.NaN;
    return [part, seconds * 1000] as const;
  });
  return Object.fromEntries(found) as Tap['cpu'];
}

/** As long as a finger rests. Without it the frame that shows the press delays the tap. */
const REST_MS = 80;

/** A finger's tap in the middle of an element, as the browser itself dispatches it. */
async function tap(page: Page, devtools: CDPSession, target: string): Promise<void> {
  const element = page.locator(target).first();
  await element.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await element.boundingBox())!;
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await page.waitForTimeout(REST_MS);
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/**
 * In the page: `waitForNext` arms `nextPainted`, which resolves once another heading has been painted. A frame is
 * painted after its animation frame callbacks, so the next task comes after it. Event Timing reports with a delay.
 */
const OBSERVER = `(() => {
  const interactions = [];
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) interactions.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 });
  window.longestInteraction = () =>
    new Promise((resolve) => setTimeout(() => resolve(Math.max(0, ...interactions)), 200));
  window.waitForNext = () => {
    const heading = document.querySelector('main h1');
    let tapped;
    const onClick = ({ timeStamp }) => (tapped = timeStamp);
    addEventListener('click', onClick, { capture: true, once: true });
    interactions.length = 0;
    window.nextPainted = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        const next = document.querySelector('main h1');
        if (!next || next === heading) return;
        observer.disconnect();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - tapped);
          port2.postMessage(undefined);
        });
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
  };
})()`;
