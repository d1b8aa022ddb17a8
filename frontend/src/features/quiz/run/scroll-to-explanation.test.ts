import { expect, test } from 'vitest';
import { distanceTo } from './scroll-to-explanation.ts';

const room = { top: 70, bottom: 640 };

test('scrolls as far as an explanation needs, and no further', () => {
  expect(distanceTo({ bottom: 600 }, { top: 150 }, room)).toBe(0);
  expect(distanceTo({ bottom: 690 }, { top: 150 }, room)).toBe(50);
});

test('keeps the question in sight', () => {
  expect(distanceTo({ bottom: 1000 }, { top: 150 }, room)).toBe(80);
  // Also where nothing of the explanation can be seen then.
  expect(distanceTo({ bottom: 1500 }, { top: 150 }, room)).toBe(80);
  // Scrolled past it by hand: nothing is taken back.
  expect(distanceTo({ bottom: 900 }, { top: -100 }, room)).toBe(0);
});
