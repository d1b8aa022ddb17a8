import { expect, test } from 'vitest';
import { distanceTo } from './scroll-to-explanation.ts';

const room = { top: 70, bottom: 640 };

test('scrolls as far as an explanation needs, and no further', () => {
  expect(distanceTo({ top: 400, bottom: 600 }, { top: 150 }, room)).toBe(0);
  expect(distanceTo({ top: 520, bottom: 690 }, { top: 150 }, room)).toBe(50);
});

test('keeps the question in sight', () => {
  expect(distanceTo({ top: 520, bottom: 1000 }, { top: 150 }, room)).toBe(80);
  // Scrolled past it by hand: nothing is taken back.
  expect(distanceTo({ top: 500, bottom: 900 }, { top: -100 }, room)).toBe(0);
});

test('shows that there is an explanation where both have no room', () => {
  expect(distanceTo({ top: 900, bottom: 1100 }, { top: 150 }, room)).toBe(308);
  expect(distanceTo({ top: 900, bottom: 920 }, { top: 150 }, room)).toBe(280);
});
