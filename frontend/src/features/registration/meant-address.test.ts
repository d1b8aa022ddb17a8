import { expect, test } from 'vitest';
import { meantAddress } from './meant-address.ts';

test.each([
  ['a@gmial.com', 'a@gmail.com'],
  ['a@gmai.com', 'a@gmail.com'],
  ['a@gmail.con', 'a@gmail.com'],
  ['a@gmail.comm', 'a@gmail.com'],
  ['a@GMAIL.CO', 'a@gmail.com'],
  ['a.b@hotmial.com', 'a.b@hotmail.com'],
  [' a@outlok.com ', 'a@outlook.com'],
])('%s was probably meant to be %s', (typed, meant) => {
  expect(meantAddress(typed)).toBe(meant);
});

test.each([
  '',
  'a',
  '@',
  'a@',
  '@gmial.com',
  'a@gmail.com',
  'a@example.no',
  'a@mail.com',
  'a@b@gmial.com',
])('nothing is suggested for "%s"', (typed) => {
  expect(meantAddress(typed)).toBeUndefined();
});
