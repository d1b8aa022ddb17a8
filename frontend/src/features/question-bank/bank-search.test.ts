import {
  QUESTION_SORTS,
  QUESTION_STATES,
  VALIDATION_STATES,
} from '@proveklar/contract/questions.ts';
import { expect, test } from 'vitest';
import * as search from './bank-search.ts';

const { filterOf, isFiltered, readBankSearch, toParameters } = search;

test('has every sort order and state of the contract', () => {
  expect(search.SORTS).toEqual(QUESTION_SORTS);
  expect(search.STATES).toEqual(QUESTION_STATES);
  expect(search.VALIDATIONS).toEqual(VALIDATION_STATES);
});

test('keeps the parameters that the API accepts, and drops the rest', () => {
  const full = {
    topic: 'Historie',
    language: 'no',
    validation: 'pending',
    min_correct: 0,
    max_selected: 12,
    search: 'Stortinget',
    import_id: '0199a000-0000-7000-8000-000000000001',
    state: 'all',
    reported: true,
    sort: 'topic',
    page: 3,
    page_size: 50,
  };
  expect(readBankSearch({ ...full, lng: 'no' })).toEqual(full);
  const wrong = {
    topic: '  ',
    language: 'norsk',
    validation: 'x',
    min_correct: 101,
    max_selected: -1,
    search: {},
    import_id: '1',
    state: 'gone',
    reported: 'yes',
    sort: 'best',
    page: 0.5,
  };
  expect(readBankSearch(wrong)).toEqual({});
});

test('leaves defaults out of the address', () => {
  expect(readBankSearch({ state: 'active', sort: 'newest', page: 1 })).toEqual({});
});

test('reads a number in the search as text', () => {
  expect(readBankSearch({ search: 1814 })).toEqual({ search: '1814' });
});

test('the filter excludes sort order and page', () => {
  expect(filterOf({ topic: 'A', sort: 'topic', page: 2 })).toEqual({ topic: 'A' });
  expect(isFiltered({ sort: 'topic', page: 2 })).toBe(false);
  expect(isFiltered({ reported: false })).toBe(true);
  expect(toParameters({ topic: 'A b', min_correct: 0 }).toString()).toBe('topic=A+b&min_correct=0');
});
