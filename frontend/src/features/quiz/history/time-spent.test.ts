import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { loadTexts, startTexts } from '#i18n/i18n.ts';
import { timeSpent } from './time-spent.ts';

beforeAll(async () => {
  await startTexts('no');
  await loadTexts('learner');
});

const DAY = 24 * 60 * 60;

test.each([
  [29, '0 minutter'],
  [60, '1 minutt'],
  [3 * 60 * 60, '180 minutter'],
  [DAY, '1440 minutter'],
])('%i seconds are %s', (seconds, text) => {
  expect(timeSpent(seconds, i18next.getFixedT('no', 'learner'))).toBe(text);
});
