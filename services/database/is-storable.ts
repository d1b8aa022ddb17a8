/**
 * Whether every text in a value read from JSON can be stored: PostgreSQL takes neither the NUL
 * character nor, in its JSON, half of a surrogate pair.
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  // Asked of every row of an import: no list of what is in it is made for that.
  for (const key in value) {
    if (!isStorable(key) || !isStorable((value as Record<string, unknown>)[key])) return false;
  }
  return true;
}
