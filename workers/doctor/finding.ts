/** What one look found. */
export interface Finding {
  level: 'ok' | 'warning' | 'fault';
  found: string;
  /** One sentence: what to do about it. */
  advice?: string;
}

export const ok = (found: string): Finding => ({ level: 'ok', found });
export const warning = (found: string, advice: string): Finding => ({
  level: 'warning',
  found,
  advice,
});
export const fault = (found: string, advice: string): Finding => ({
  level: 'fault',
  found,
  advice,
});

/** What cannot be looked at because of something that another check tells of. */
export const unchecked = (reason: string): Finding => ({
  level: 'warning',
  found: `not checked: ${reason}`,
});

/** What an error says in one line. */
export function reasonOf(error: unknown): string {
  // Several addresses were tried, and each has its own reason.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return (error.message || code || error.name).split('\n', 1)[0]!.trim();
}
