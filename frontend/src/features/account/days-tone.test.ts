import { expect, test } from 'vitest';
import { daysTone } from './days-tone.ts';

test.each([
  [30, 'ok'],
  [8, 'ok'],
  [7, 'warning'],
  [2, 'warning'],
  [1, 'critical'],
  [0, 'expired'],
] as const)('%i days left is %s', (days, tone) => {
  const account = { service_expires_at: '2025-02-01T00:00:00Z' };
  expect(daysTone({ days_remaining: days, account })).toBe(tone);
});

test('somebody who never had service has none that expired', () => {
  expect(daysTone({ days_remaining: 0, account: { service_expires_at: null } })).toBe('none');
});
