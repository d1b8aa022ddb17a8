import { expect, test } from 'vitest';
import {
  isOwnPath,
  searchedText,
  validateAdminSearch,
  validateHomeSearch,
  validateSignInSearch,
} from './search.ts';

test('only paths of our own are destinations', () => {
  expect(isOwnPath('/quiz/abc?x=1')).toBe(true);
  for (const elsewhere of ['//evil.example', '/\\evil.example', 'https://evil.example', '', 1]) {
    expect(isOwnPath(elsewhere)).toBe(false);
  }
});

test('unknown values are removed from the search that the router has parsed', () => {
  // As the router merges them.
  const merged = (search: Record<string, unknown>) => ({
    ...search,
    ...validateSignInSearch(search),
  });
  expect(merged({ mode: 'x', redirect: 'https://evil.example' })).toEqual({});
  expect(merged({ mode: 'register', redirect: '/quiz' })).toEqual({
    mode: 'register',
    redirect: '/quiz',
  });
});

test('the home accepts a topic and one of its tabs', () => {
  expect(validateHomeSearch({ topic: 'Historie', language: 'no', tab: 'history' })).toMatchObject({
    topic: 'Historie',
    language: 'no',
    tab: 'history',
  });
  const unwanted = { topic: ['a'], tab: 'x', language: 'svensk' };
  expect({ ...unwanted, ...validateHomeSearch(unwanted) }).toEqual({});
});

test('the portal redirects only to its own pages', () => {
  const elsewhere = { redirect: '/quiz' };
  expect({ ...elsewhere, ...validateAdminSearch(elsewhere) }).toEqual({});
  const inside = { redirect: '/admin/dashboard/users?email=a' };
  expect(validateAdminSearch(inside)).toEqual(inside);
});

test('a search term is text, also when the router has parsed it as a number', () => {
  expect([123, 'a', '', null].map(searchedText)).toEqual(['123', 'a', undefined, undefined]);
});
