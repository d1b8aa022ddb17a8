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
