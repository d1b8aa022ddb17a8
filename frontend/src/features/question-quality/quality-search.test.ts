import { QUALITY_REASONS } from '@proveklar/contract/question-quality.ts';
import { expect, test } from 'vitest';
import { readQualitySearch, REASONS } from './quality-search.ts';

test('has every reason of the contract, the worst first', () => {
  expect(REASONS).toEqual(QUALITY_REASONS);
});

test('keeps the parameters that the API accepts, and drops the rest', () => {
  const known = { reason: 'reported', page: 2 };
  expect(readQualitySearch({ ...known, lng: 'no' })).toEqual(known);
  expect(readQualitySearch({ reason: 'ugly', page: 501 })).toEqual({});
  expect(readQualitySearch({ page: 1 })).toEqual({});
});
