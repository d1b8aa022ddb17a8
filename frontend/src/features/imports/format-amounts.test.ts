import { expect, test } from 'vitest';
import { startTexts } from '#i18n/i18n.ts';
import { durationOf, formatBytes, formatCount } from './format-amounts.ts';

const plain = (text: string) => text.replaceAll(/\s/g, ' ');

test('amounts have the format of the language of the screen', async () => {
  await startTexts('en');
  expect(plain(formatCount(1_234_567))).toBe('1,234,567');
  expect(plain(formatBytes(12_345_678))).toBe('12.3 MB');
  await startTexts('no');
  expect(plain(formatCount(1_234_567))).toBe('1 234 567');
  expect(plain(formatBytes(0))).toBe('0 B');
  expect(plain(formatBytes(999))).toBe('999 B');
  expect(plain(formatBytes(12_345))).toBe('12 kB');
  expect(plain(formatBytes(12_345_678))).toBe('12,3 MB');
  expect(plain(formatBytes(312_000_000))).toBe('312 MB');
  expect(plain(formatBytes(1_073_741_824))).toBe('1,1 GB');
});

test('a duration has one or two units', () => {
  expect(durationOf(0.2)).toMatchObject({ unit: 'seconds', seconds: 1 });
  expect(durationOf(59.4)).toMatchObject({ unit: 'seconds', seconds: 59 });
  expect(durationOf(59.6)).toMatchObject({ unit: 'minutes', minutes: 1, seconds: 0 });
  expect(durationOf(3725)).toMatchObject({ unit: 'hours', hours: 1, minutes: 2 });
});
