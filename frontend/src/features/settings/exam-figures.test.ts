import { expect, test } from 'vitest';
import { isOld, readExam, todayInNorway } from './exam-figures.ts';

const TODAY = '2026-11-21';
const texts = {
  questions_shown: '38',
  questions_counted: '34',
  pass_mark: '26',
  minutes: '60',
  source_url: ' https://example.no/prove ',
  checked_at: TODAY,
};

test('consistent numbers are read', () => {
  const { figures, faults } = readExam(texts, TODAY);
  expect(faults).toEqual([]);
  expect(figures).toMatchObject({ questions_shown: 38, source_url: 'https://example.no/prove' });
});

test.each([
  [{ questions_counted: '39' }, ['questions_counted']],
  [{ pass_mark: '35' }, ['pass_mark']],
  [{ minutes: '' }, ['minutes']],
  [{ minutes: '301' }, ['minutes']],
  [{ questions_shown: '38,5' }, ['questions_shown', 'questions_counted']],
  [{ source_url: 'example.no' }, ['source_url']],
  [{ checked_at: '2026-11-22' }, ['checked_at']],
  [{ checked_at: '' }, ['checked_at']],
])('%o cannot be right', (part, faults) => {
  expect(readExam({ ...texts, ...part }, TODAY).faults).toEqual(faults);
});

test('a source is outdated after a year', () => {
  expect(isOld('2025-11-21', TODAY)).toBe(false);
  expect(isOld('2025-11-20', TODAY)).toBe(true);
});

test('a day begins at midnight in Norway', () => {
  expect(todayInNorway(new Date('2026-11-20T23:30:00Z'))).toBe(TODAY);
});
