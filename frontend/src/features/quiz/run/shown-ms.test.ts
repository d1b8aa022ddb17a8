import { expect, test } from 'vitest';
import { startShownTimer } from './shown-ms.ts';

/** A page, and a clock in milliseconds, that a test moves. */
function shown() {
  const page = Object.assign(new EventTarget(), { hidden: false });
  const clock = { now: 1_000 };
  const timer = startShownTimer(page, () => clock.now);
  const show = (isShown: boolean) => {
    page.hidden = !isShown;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { clock, timer, show };
}

test('counts the time since the start in whole milliseconds', () => {
  const { clock, timer } = shown();
  expect(timer.read()).toBe(0);
  clock.now += 1_234.56;
  expect(timer.read()).toBe(1_235);
});

test('pauses while the page is hidden', () => {
  const { clock, timer, show } = shown();
  clock.now += 500;
  show(false);
  clock.now += 60_000;
  expect(timer.read()).toBe(500);
  show(true);
  clock.now += 250;
  expect(timer.read()).toBe(750);
});

test('is at most an hour', () => {
  const { clock, timer } = shown();
  clock.now += 3 * 3_600_000;
  expect(timer.read()).toBe(3_600_000);
});

test('no longer follows the page once it is stopped', () => {
  const { clock, timer, show } = shown();
  timer.stop();
  show(false);
  clock.now += 100;
  expect(timer.read()).toBe(100);
});
