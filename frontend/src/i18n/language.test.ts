import { expect, test } from 'vitest';
import { languageTag, toAppLanguage } from './language.ts';

test('every Norwegian is ours, and a region does not matter', () => {
  for (const code of ['no', 'nb', 'nn', 'nb-NO', 'NN-no']) expect(toAppLanguage(code)).toBe('no');
  expect(toAppLanguage('en-GB')).toBe('en');
  expect(toAppLanguage('pl-PL')).toBe('pl');
});

test('what is not English is tagged as bokmål', () => {
  expect(languageTag('en')).toBe('en');
  expect(languageTag('no')).toBe('nb');
  expect(languageTag('xx')).toBe('nb');
});
