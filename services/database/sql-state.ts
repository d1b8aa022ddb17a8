// The errors of PostgreSQL that the service reacts to: https://www.postgresql.org/docs/18/errcodes-appendix.html

/** @param constraint if given, only a violation of this one */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isState(error, '23505', constraint);
}

/** @param constraint if given, only a violation of this one */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isState(error, '23503', constraint);
}

export function isDeadlock(error: unknown): boolean {
  return isState(error, '40P01');
}

function isState(error: unknown, state: string, constraint?: string): boolean {
  const { code, constraint: violated } = error as { code?: string; constraint?: string };
  return code === state && (constraint === undefined || constraint === violated);
}
