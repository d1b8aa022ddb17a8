import { expect, test } from 'vitest';
import { readFeedbackSearch } from './search.ts';

test('the tab opens with the table of single reports', () => {
  expect(readFeedbackSearch({})).toEqual({});
  expect(readFeedbackSearch({ view: 'reports' })).toEqual({});
  expect(readFeedbackSearch({ view: 'questions' })).toEqual({ view: 'questions' });
});

test('default values are left out of the address', () => {
  expect(readFeedbackSearch({ state: 'all', page: 1 })).toEqual({});
  expect(readFeedbackSearch({ view: 'questions', state: 'open', sort: 'newest' })).toEqual({
    view: 'questions',
  });
});

test('each view has its own filters', () => {
  const all = { state: 'fixed', sort: 'reports', question: 7, page: 3 };
  expect(readFeedbackSearch(all)).toEqual({ state: 'fixed', question: 7, page: 3 });
  expect(readFeedbackSearch({ ...all, view: 'questions' })).toEqual({
    view: 'questions',
    sort: 'reports',
    page: 3,
  });
});

test('invalid values are ignored', () => {
  expect(readFeedbackSearch({ view: 'x', state: 7, page: -1, question: 'a' })).toEqual({});
});
