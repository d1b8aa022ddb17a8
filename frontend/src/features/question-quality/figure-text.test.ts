import { expect, test } from 'vitest';
import { difficultyOf, discriminationOf } from './figure-text.ts';

test('figures get a word, at their limits too', () => {
  expect([1, 0.9, 0.89, 0.7, 0.4, 0.39, 0].map(difficultyOf)).toEqual([
    'very_easy',
    'very_easy',
    'easy',
    'easy',
    'medium',
    'hard',
    'hard',
  ]);
  expect([0.3, 0.29, 0.1, 0.09, 0, -0.01].map(discriminationOf)).toEqual([
    'good',
    'fair',
    'fair',
    'poor',
    'poor',
    'negative',
  ]);
});
