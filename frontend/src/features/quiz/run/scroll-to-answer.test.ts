import { expect, test } from 'vitest';
import { distanceTo } from './scroll-to-answer.ts';

const room = { top: 70, bottom: 640 };

test('scrolls as far as the judged options need, and no further', () => {
  expect(distanceTo({ bottom: 600 }, { top: 150 }, room)).toBe(0);
  expect(distanceTo({ bottom: 690 }, { top: 150 }, room)).toBe(50);
});

test('keeps the question in sight', () => {
  expect(distanceTo({ bottom: 1000 }, { top: 150 }, room)).toBe(80);
  // Even if the options are then out of sight.
  expect(distanceTo({ bottom: 1500 }, { top: 150 }, room)).toBe(80);
  // The learner has scrolled past it, to the last options.
  expect(distanceTo({ bottom: 600 }, { top: -100 }, room)).toBe(-170);
});
