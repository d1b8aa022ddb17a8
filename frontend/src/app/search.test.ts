import { expect, test } from 'vitest';
import { isOwnPath, validateSignInSearch } from './search.ts';

test('only paths of our own are destinations', () => {
  expect(isOwnPath('/quiz/abc?x=1')).toBe(true);
  for (const elsewhere of ['//evil.example', '/\\evil.example', 'https://evil.example', '', 1]) {
    expect(isOwnPath(elsewhere)).toBe(false);
  }
});

test('unknown search values are dropped', () => {
  expect(validateSignInSearch({ mode: 'x', redirect: 'javascript:1', other: 1 })).toEqual({});
  expect(validateSignInSearch({ mode: 'register' })).toEqual({ mode: 'register' });
});
