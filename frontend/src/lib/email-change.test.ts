import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetEmailChange, pendingEmail, rememberEmailChange } from './email-change.ts';
import { withMemoryStorage } from './test-support.ts';

const stored = withMemoryStorage('localStorage');
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a changed address is told to nobody else who signs in here, and gone when they sign out', () => {
  rememberEmailChange('me', 'new@example.no');
  expect(pendingEmail('me')).toBe('new@example.no');
  expect(pendingEmail('somebody else')).toBeNull();
  // The session may have ended with the old address.
  expect(pendingEmail()).toBe('new@example.no');
  forgetEmailChange();
  expect(pendingEmail()).toBeNull();
});

test('after a day the browser has nothing of it any more', () => {
  rememberEmailChange('me', 'new@example.no');
  vi.advanceTimersByTime(25 * 3_600_000);
  expect(pendingEmail()).toBeNull();
  expect(stored.size).toBe(0);
});
