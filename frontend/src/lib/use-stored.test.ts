import { expect, test, vi } from 'vitest';
import { withMemoryStorage } from './test-support.ts';
import { readStored, readText, storeText } from './use-stored.ts';

const stored = withMemoryStorage('localStorage');

test('a stored choice is read if it is allowed, until it is removed', () => {
  storeText('speed', 'slow');
  expect(readStored('speed', ['normal', 'slow'])).toBe('slow');
  expect(readStored('speed', ['normal', 'fast'])).toBeUndefined();
  storeText('speed', null);
  expect(readText('speed')).toBeNull();
  expect(stored.size).toBe(0);
});

test('where storage is blocked, a choice lasts as long as the page, for all who read it', () => {
  const blocked = () => {
    throw new DOMException('blocked', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked, removeItem: blocked });
  storeText('speed', 'slow');
  expect(readText('speed')).toBe('slow');
  storeText('speed', null);
  expect(readText('speed')).toBeNull();
});
