/** Our values reach a tenth of this; a depth of a hundred thousand overflows the stack. */
const MAX_DEPTH = 100;

/**
 * Whether PostgreSQL can store a value read from JSON. It rejects the NUL character and, in JSON, half
 * of a surrogate pair. Deeper nesting than `MAX_DEPTH` is rejected too.
 */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  const isInnerStorable = (inner: unknown) => isStorable(inner, depth + 1);
  if (Array.isArray(value)) return value.every(isInnerStorable);
  // Runs for every row of an import. `Object.entries` would take twice as long.
  return (
    Object.keys(value).every((key) => isStorable(key)) &&
    Object.values(value).every(isInnerStorable)
  );
}
