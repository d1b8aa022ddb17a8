import { expect, test } from 'vitest';
import { shorten } from './shorten.ts';

test('a question is cut after 80 characters', () => {
  expect(shorten('å'.repeat(80))).toBe('å'.repeat(80));
  expect(shorten('å'.repeat(81))).toBe(`${'å'.repeat(80)}…`);
});

test('a question is not cut inside a character', () => {
  expect(shorten('👎'.repeat(81))).toBe(`${'👎'.repeat(80)}…`);
});
