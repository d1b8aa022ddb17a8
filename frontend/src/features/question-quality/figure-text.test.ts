import { expect, test } from 'vitest';
import { difficultyOf, discriminationOf, measuredOf } from './figure-text.ts';

test('a measured difficulty gets a word, the same on both sides of the average', () => {
  expect([1, 0.99, 0.35, 0.34, 0, -0.34, -0.35, -0.99, -1].map(measuredOf)).toEqual([
    'much_harder',
    'harder',
    'harder',
    'average',
    'average',
    'average',
    'easier',
    'easier',
    'much_easier',
  ]);
});

test('facility and discrimination get a word, also at the limits', () => {
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
