/**
 * Whether every text in a value read from JSON can be stored: PostgreSQL takes neither the NUL
 * character nor, in its JSON, half of a surrogate pair.
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  // Asked of every row of an import: a list of pairs would take twice as long.
  return Object.keys(value).every(isStorable) && Object.values(value).every(isStorable);
}
