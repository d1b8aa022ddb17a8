/** A random UUID, also on pages without a secure context, where crypto.randomUUID is missing. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Hands out one key per content: a double click or a retry sends the same key again and so makes
 * one payment, while changed content gets a key of its own. Kept in memory only.
 */
export function createIdempotencyKeys(): (content: unknown) => string {
  const keys = new Map<string, string>();
  return (content) => {
    const id = JSON.stringify(content);
    const key = keys.get(id) ?? randomKey();
    keys.set(id, key);
    return key;
  };
}
