import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetEmailChange, pendingEmail, rememberEmailChange } from './email-change.ts';
import { withMemoryStorage } from './test-support.ts';

const stored = withMemoryStorage('localStorage');
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a pending address is hidden from other users of the browser, and forgotten on sign-out', () => {
  rememberEmailChange('me', 'new@example.no');
  expect(pendingEmail('me')).toBe('new@example.no');
  expect(pendingEmail('another user')).toBeNull();
  // Without a uid: the change of address may have ended the session.
  expect(pendingEmail()).toBe('new@example.no');
  forgetEmailChange();
  expect(pendingEmail()).toBeNull();
});

test('a pending address is forgotten after a day', () => {
  rememberEmailChange('me', 'new@example.no');
  vi.advanceTimersByTime(25 * 3_600_000);
  expect(pendingEmail()).toBeNull();
  expect(stored.size).toBe(0);
});
