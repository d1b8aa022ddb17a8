import { QUALITY_REASONS } from '@proveklar/contract/question-quality.ts';
import { expect, test } from 'vitest';
import { readQualitySearch, REASONS } from './quality-search.ts';

test('knows every reason that the contract has, the worst first', () => {
  expect(REASONS).toEqual(QUALITY_REASONS);
});

test('takes what the API takes from an address, and leaves the rest out', () => {
  const known = { reason: 'reported', page: 2 };
  expect(readQualitySearch({ ...known, lng: 'no' })).toEqual(known);
  expect(readQualitySearch({ reason: 'ugly', page: 501 })).toEqual({});
  expect(readQualitySearch({ page: 1 })).toEqual({});
});
