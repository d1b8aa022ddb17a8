import { expect, test } from 'vitest';
import { formatOre, formatShortDateTime } from './format-compact.ts';
import {
  formatDate,
  formatDateTime,
  formatDayMonth,
  formatKroner,
  formatNok,
  formatPercent,
} from './format.ts';

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

test('whole kroner have no decimals, others have two', () => {
  expect(plain(formatKroner(149, 'no'))).toBe('149 kr');
  expect(plain(formatKroner(149.5, 'no'))).toBe('149,50 kr');
  expect(plain(formatKroner(1490, 'no'))).toBe('1 490 kr');
  expect(plain(formatKroner(149, 'en'))).toBe('NOK 149');
  expect(plain(formatKroner(1490.5, 'en'))).toBe('NOK 1,490.50');
});

test('amounts of a column all have two decimals', () => {
  expect(plain(formatOre(14900, 'no'))).toBe('149,00 kr');
  expect(plain(formatOre(-4950, 'en'))).toBe('NOK -49.50');
});

test('øre become an exact amount', () => {
  expect(plain(formatNok(14900, 'no'))).toBe('149,00 NOK');
  expect(plain(formatNok(14900, 'en'))).toBe('149.00 NOK');
  expect(plain(formatNok(1, 'no'))).toBe('0,01 NOK');
});

test('a share becomes a percentage in the language of the screen', () => {
  expect(plain(formatPercent(0.9, 'no'))).toBe('90 %');
  expect(plain(formatPercent(0, 'no'))).toBe('0 %');
  expect(plain(formatPercent(0.9, 'en'))).toBe('90%');
});

test('dates are in the language of the screen', () => {
  expect(plain(formatDate('2025-01-14T12:00:00Z', 'no'))).toBe('14. januar 2025');
  expect(plain(formatDate('2025-01-14T12:00:00Z', 'en'))).toBe('14 January 2025');
  expect(plain(formatDayMonth('2025-01-04T12:00:00Z', 'no'))).toBe('4. jan.');
  expect(plain(formatDayMonth('2025-01-04T12:00:00Z', 'en'))).toBe('4 Jan');
});

test('a time of day stands after its date', () => {
  const local = new Date(2025, 0, 14, 13, 5).toISOString();
  expect(plain(formatDateTime(local, 'no'))).toBe('14. januar 2025 kl. 13.05');
  expect(plain(formatDateTime(local, 'en'))).toBe('14 January 2025, 13:05');
  expect(plain(formatShortDateTime(local, 'no'))).toBe('14. jan. 2025 kl. 13.05');
  expect(plain(formatShortDateTime(local, 'en'))).toBe('14 Jan 2025, 13:05');
});
