import { randomUuid } from './random-uuid.ts';

/**
 * Hands out one key per content: a double click or a retry sends the same key again and so makes
 * one payment, while changed content gets a key of its own. Kept in memory only.
 */
export function createIdempotencyKeys(): (content: unknown) => string {
  const keys = new Map<string, string>();
  return (content) => {
    const id = JSON.stringify(content);
    const key = keys.get(id) ?? randomUuid();
    keys.set(id, key);
    return key;
  };
}
