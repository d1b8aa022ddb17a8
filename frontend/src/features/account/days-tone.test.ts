import { expect, test } from 'vitest';
import { accessEnd, daysTone } from './days-tone.ts';

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

test('an account that never had access has not expired', () => {
  expect(daysTone({ days_remaining: 0, account: { service_expires_at: null } })).toBe('none');
});

test('says whether access ends today or tomorrow, when that is within hours', () => {
  const now = new Date(2026, 10, 21, 12, 0);
  const ends = (hours: number, days_remaining: number) =>
    accessEnd(
      {
        days_remaining,
        account: { service_expires_at: new Date(now.getTime() + hours * 3_600_000).toISOString() },
      },
      now,
    );
  expect(ends(3, 1)).toBe('today');
  expect(ends(20, 1)).toBe('tomorrow');
  expect(ends(30, 2)).toBeNull();
  expect(ends(-1, 0)).toBeNull();
  expect(accessEnd({ days_remaining: 0, account: { service_expires_at: null } })).toBeNull();
});
