import { expect, test } from 'vitest';
import {
  languageInWords,
  languageName,
  textIn,
  toLanguageCode,
  writtenLanguage,
} from './question-language.ts';

test.each([
  ['no', 'nb', 'ltr'],
  ['en', 'en', 'ltr'],
  ['nn', 'nn', 'ltr'],
  ['ar', 'ar', 'rtl'],
  ['prs', 'prs', 'rtl'],
  ['ckb', 'ckb', 'rtl'],
  ['az-Arab', 'az-Arab', 'rtl'],
  ['sr-Latn', 'sr-Latn', 'ltr'],
])('a text in %s has the tag %s and is written %s', (code, lang, dir) => {
  expect(textIn(code)).toEqual({ lang, dir });
});

test('a language has its name in the language of the screen, never another one’s', () => {
  expect(languageName('pl', 'no')).toBe('Polsk');
  expect(languageInWords('pl', 'no')).toBe('polsk');
  expect(languageName('pl', 'en')).toBe('Polish');
  expect(languageName('no', 'no')).toBe('Norsk');
  expect(languageName('xx', 'en')).toBe('Xx');
});

test('the written forms of Norwegian have the names that people use', () => {
  expect(['no', 'nn'].map((code) => languageInWords(code, 'no'))).toEqual(['norsk', 'nynorsk']);
  expect(['no', 'nn'].map((code) => writtenLanguage(code, 'no'))).toEqual(['bokmål', 'nynorsk']);
  expect(['no', 'nn'].map((code) => writtenLanguage(code, 'en'))).toEqual(['Bokmål', 'Nynorsk']);
  expect(writtenLanguage('pl', 'en')).toBe('Polish');
});

test('an address names a language by its code', () => {
  expect(['pl', 'sr-Latn', 'zh-Hans-CN'].map(toLanguageCode)).toEqual([
    'pl',
    'sr-Latn',
    'zh-Hans-CN',
  ]);
  expect(['norsk', 'NO', 'no_NO', '', 1, undefined].map(toLanguageCode)).toEqual(
    Array(6).fill(undefined),
  );
});
