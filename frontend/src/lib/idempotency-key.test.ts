import { expect, test } from 'vitest';
import { createIdempotencyKeys } from './idempotency-key.ts';

test('the same content has the same key, other content another', () => {
  const keyOf = createIdempotencyKeys();
  const first = keyOf({ email: 'a@example.no', username: 'A' });
  expect(keyOf({ email: 'a@example.no', username: 'A' })).toBe(first);
  expect(keyOf({ email: 'b@example.no', username: 'A' })).not.toBe(first);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
});
