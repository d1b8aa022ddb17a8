/** Nothing that we store has a tenth of it; a stack would not bear a hundred thousand. */
const DEEPEST = 100;

/**
 * Whether every text in a value read from JSON can be stored: PostgreSQL takes neither the NUL
 * character nor, in its JSON, half of a surrogate pair. What is nested without end cannot be either.
 */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  if (depth === DEEPEST) return false;
  const isInnerStorable = (inner: unknown) => isStorable(inner, depth + 1);
  if (Array.isArray(value)) return value.every(isInnerStorable);
  // Asked of every row of an import: a list of pairs would take twice as long.
  return (
    Object.keys(value).every((key) => isStorable(key)) &&
    Object.values(value).every(isInnerStorable)
  );
}
