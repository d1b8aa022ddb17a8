import { expect, test } from 'vitest';
import { readFeedbackSearch } from './search.ts';

test('what is usual is left out of the address', () => {
  expect(readFeedbackSearch({ state: 'open', sort: 'newest', page: 1 })).toEqual({});
  expect(readFeedbackSearch({ view: 'reports', state: 'all' })).toEqual({ view: 'reports' });
});

test('each view has its own filters', () => {
  const all = { state: 'fixed', sort: 'reports', question: 7, page: 3 };
  expect(readFeedbackSearch(all)).toEqual({ sort: 'reports', page: 3 });
  expect(readFeedbackSearch({ ...all, view: 'reports' })).toEqual({
    view: 'reports',
    state: 'fixed',
    question: 7,
    page: 3,
  });
});

test('what makes no sense is taken for nothing', () => {
  expect(readFeedbackSearch({ view: 'x', state: 7, page: -1, question: 'a' })).toEqual({});
});
