/** The message of an error, in one line. */
export function reasonOf(error: unknown): string {
  // Several addresses were tried, and each has its own reason.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return (error.message || code || error.name).split('\n', 1)[0]!.trim();
}
