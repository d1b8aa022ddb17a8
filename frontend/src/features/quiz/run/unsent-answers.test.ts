import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readUnsent, writeUnsent } from './unsent-answers.ts';

const owner = { uid: 'me', quizId: 'q1' };
let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('unsent answers are read by the one who gave them, in the quiz they are of', () => {
  writeUnsent(owner, { a: 'x' });
  expect(readUnsent(owner)).toEqual({ a: 'x' });
  expect(readUnsent({ uid: 'somebody else', quizId: 'q1' })).toEqual({});
  expect(readUnsent({ uid: 'me', quizId: 'q2' })).toEqual({});
});

test('nothing is left when all are sent', () => {
  writeUnsent(owner, { a: 'x' });
  writeUnsent(owner, {});
  expect(stored.size).toBe(0);
});

test('what is stored may be anything', () => {
  writeUnsent(owner, { a: 'x' });
  const [key = ''] = stored.keys();
  for (const [value, read] of [
    ['no json', {}],
    ['null', {}],
    ['{"a":1,"b":"y"}', { b: 'y' }],
  ] as const) {
    stored.set(key, value);
    expect(readUnsent(owner)).toEqual(read);
  }
});
