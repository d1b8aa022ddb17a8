import { languageTag, toAppLanguage } from '@proveklar/contract/language.ts';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { currentLanguage, showLanguage, startTexts } from './i18n.ts';

test('loads the language that is shown, and English when a Norwegian text is missing', async () => {
  await startTexts('no');
  expect(currentLanguage()).toBe('no');
  expect(i18next.t('actions.sign_in')).toBe('Logg inn');
  expect(i18next.hasResourceBundle('en', 'translation')).toBe(false);

  const { actions, ...rest } = i18next.getResourceBundle('no', 'translation');
  i18next.removeResourceBundle('no', 'translation');
  i18next.addResourceBundle('no', 'translation', rest);
  i18next.t('actions.sign_in');
  await expect.poll(() => i18next.t('actions.sign_in')).toBe('Sign in');
  expect(i18next.t('landing.headline')).toBe('Bli klar for prøven');

  await showLanguage('en');
  expect(currentLanguage()).toBe('en');
  expect(i18next.t('landing.headline')).not.toBe('Bli klar for prøven');
  expect(actions).toBeDefined();
});

test('every Norwegian language code is `no`, and a region does not matter', () => {
  for (const code of ['no', 'nb', 'nn', 'nb-NO', 'NN-no']) expect(toAppLanguage(code)).toBe('no');
  expect(toAppLanguage('en-GB')).toBe('en');
  expect(toAppLanguage('pl-PL')).toBe('pl');
});

test('what is not English is tagged as bokmål', () => {
  expect(languageTag('en')).toBe('en');
  expect(languageTag('no')).toBe('nb');
  expect(languageTag('xx')).toBe('nb');
});
