import type { AnswerRequest } from '@proveklar/contract/quiz.ts';
import { expect, test } from 'vitest';
import { ApiError } from '#lib/api-error.ts';
import { sendAnswer, startShownTimer } from './shown-ms.ts';

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

test('an answer that is refused with the time is sent again without it', async () => {
  const given = { question_id: 'a', answer: 'x', shown_ms: 900 };
  const refused = new ApiError(400, 'validation_failed', 'unknown field');
  const sent: AnswerRequest[] = [];
  const refusing = (request: AnswerRequest) => {
    sent.push(request);
    return 'shown_ms' in request
      ? Promise.reject(refused)
      : Promise.resolve({ score: 1, correct: true });
  };
  expect(await sendAnswer(given, refusing)).toMatchObject({ correct: true });
  expect(sent).toEqual([given, { question_id: 'a', answer: 'x' }]);
  const always = () => Promise.reject(refused);
  await expect(sendAnswer({ question_id: 'a', answer: 'x' }, always)).rejects.toBe(refused);
  const offline = new ApiError(0, 'network', 'No contact');
  await expect(sendAnswer(given, () => Promise.reject(offline))).rejects.toBe(offline);
});
