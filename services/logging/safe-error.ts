import { reasonOf } from '#errors/reason-of.ts';
import { scrub } from './scrub.ts';

/** What else an error may tell: PostgreSQL's, Stripe's, SMTP's, the system's. Never what it was about. */
const TOLD = [
  'code',
  'statusCode',
  'responseCode',
  'requestId',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'syscall',
] as const;
/** A cause of a cause of a cause. */
const DEEPEST = 5;

/** An error as the log has it. */
export interface SafeError {
  type: string;
  message: string;
  stack?: string;
  cause?: SafeError;
  code?: string | number;
  [told: string]: unknown;
}

/**
 * Tells of an error what helps to mend it. Whatever else it carries is left out, because there may be
 * a learner in it: PostgreSQL's `detail` has the row, Stripe's `raw` the request, a mailer's the recipient.
 */
export function describeError(error: unknown, depth = 0): SafeError {
  if (!(error instanceof Error)) return { type: typeof error, message: scrub(String(error)) };
  const { cause } = error;
  return {
    type: error.name,
    // A connection that was tried at several addresses says why in the errors that it holds.
    message: scrub(error.message || reasonOf(error)),
    ...toldBy(error),
    ...(error.stack && { stack: scrub(error.stack) }),
    ...(cause !== undefined && depth < DEEPEST && { cause: describeError(cause, depth + 1) }),
  };
}

/**
 * The same as an error, for whoever keeps its message and its stack: a queue does, for as long as the
 * failed job is there.
 */
export function safeError(error: unknown): Error {
  const { type, message, stack, cause, ...told } = describeError(error);
  const safe = new Error(message, cause && { cause: safeError((error as Error).cause) });
  return Object.assign(safe, told, { name: type, stack: stack ?? `${type}: ${message}` });
}

function toldBy(error: Error): Record<string, string | number> {
  const values = error as unknown as Record<string, unknown>;
  return Object.fromEntries(
    TOLD.flatMap((name): [string, string | number][] => {
      const value = values[name];
      if (typeof value === 'string') return [[name, scrub(value)]];
      return typeof value === 'number' ? [[name, value]] : [];
    }),
  );
}
