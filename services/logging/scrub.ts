import { reasonOf } from '#errors/reason-of.ts';

/** A pattern that is redacted in every text that leaves the process for a log or a queue. */
interface ScrubRule {
  /** The replacement, in square brackets. */
  name: string;
  pattern: RegExp;
  /** The pattern runs only on texts with one of these, because most lines have none and most patterns are slow. */
  hints?: readonly string[];
  /** The part of the match to keep; by default nothing. */
  keep?: (match: string, ...groups: string[]) => { before?: string; after?: string } | null;
}

const CARD_LENGTH = { from: 13, to: 19 };

// A text may be JSON inside JSON, so no pattern crosses a quote or a backslash.
export const SCRUB_RULES: readonly ScrubRule[] = [
  {
    name: 'private key',
    // A truncated key ends with its string: the rest of the line of JSON is kept.
    pattern:
      /-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*?(?:-----END [A-Z ]*PRIVATE KEY-----|(?=\\{0,7}")|$)/gu,
  },
  // Firebase's tokens; the emulator's have no signature. A header has less than 200 characters. Without the
  // bound, a long text of possible headers would take quadratic time.
  { name: 'token', pattern: /\beyJ[\w-]{8,1000}\.[\w-]+\.[\w-]*/gu },
  { name: 'authorization', pattern: /\b(?:Bearer|Basic) [\w.~+/=-]{6,}/giu },
  // Before the Stripe keys, whose pattern does not match it.
  { name: 'client secret', pattern: /\b(?:pi|seti|cs)_\w+?_secret_\w+/gu },
  { name: 'stripe key', pattern: /\b(?:(?:sk|rk|pk)_(?:test|live)_\w+|whsec_[\w+/=]+)/gu },
  {
    // postgres://user:password@host
    name: 'login',
    hints: ['://'],
    pattern: /:\/\/[^\s/"'\\]*@/gu,
    keep: () => ({ before: '://', after: '@' }),
  },
  {
    // password=… and "password":"…", also where the quotes are escaped, and "cvc":123
    name: 'secret',
    pattern:
      /((?:password|passwd|secret|token|api_?key|oobCode|cvc)(\\*["'])?\s*[:=]\s*(\\*["'])?)([^\s"'\\&,;}[\]]+)/giu,
    keep(_match, name = '', keyQuote = '', quote = '', value = '') {
      if (quote || !keyQuote) return { before: name };
      // Keeps valid JSON; true, false and null are no secret.
      return /^(?:true|false|null)$/.test(value)
        ? null
        : { before: name + keyQuote, after: keyQuote };
    },
  },
  {
    name: 'address',
    hints: ['@', '%40'],
    pattern: /(?<![\p{L}\p{N}._+'-])[\p{L}\p{N}._+'-]+(?:@|%40)(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu,
  },
  {
    name: 'card',
    pattern: /(?<![\w.-])[2-6]\d{3}(?:[ -]?\d{4,6}){2}[ -]?\d{1,7}(?![\w-])/gu,
    keep: (match) => (isCardNumber(match) ? {} : null),
  },
];

/**
 * Redacts secrets and personal data in a text. It is the last line of defence; the first is not to log them.
 * The replacement names what was there: `[address]`.
 */
export function scrub(text: string, rules: readonly ScrubRule[] = SCRUB_RULES): string {
  return rules.reduce((rest, { name, pattern, hints, keep }) => {
    if (hints && !hints.some((hint) => rest.includes(hint))) return rest;
    return rest.replace(pattern, (match: string, ...groups: string[]) => {
      const kept = keep ? keep(match, ...groups) : {};
      return kept ? `${kept.before ?? ''}[${name}]${kept.after ?? ''}` : match;
    });
  }, text);
}

/** Checks Luhn's checksum, which nine in ten numbers of that length fail. */
function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/gu, '');
  if (digits.length < CARD_LENGTH.from || digits.length > CARD_LENGTH.to) return false;
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}

/** Properties of errors that are logged: PostgreSQL's, Stripe's, SMTP's and the system's, without user data. */
const LOGGED_PROPERTIES = [
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
const MAX_CAUSE_DEPTH = 5;

/** An error as it is logged. */
interface SafeError {
  type: string;
  message: string;
  stack?: string;
  cause?: SafeError;
  code?: string | number;
  [property: string]: unknown;
}

/**
 * Returns the properties of an error that help to fix it. Leaves out the others, because they may hold
 * personal data: PostgreSQL's `detail` has the row, Stripe's `raw` the request, a mailer's the recipient.
 */
export function describeError(error: unknown, depth = 0): SafeError {
  if (!(error instanceof Error)) return { type: typeof error, message: scrub(String(error)) };
  const { cause } = error;
  return {
    type: error.name,
    // A connection that failed at several addresses has its reasons in the errors that it holds.
    message: scrub(error.message || reasonOf(error)),
    ...loggedProperties(error),
    ...(error.stack && { stack: scrub(error.stack) }),
    ...(cause !== undefined &&
      depth < MAX_CAUSE_DEPTH && { cause: describeError(cause, depth + 1) }),
  };
}

/**
 * Like `describeError`, but returns an Error, for a queue, which stores the message and stack of a failed
 * job.
 */
export function safeError(error: unknown): Error {
  const { type, message, stack, cause, ...properties } = describeError(error);
  const safe = new Error(message, cause && { cause: safeError((error as Error).cause) });
  return Object.assign(safe, properties, { name: type, stack: stack ?? `${type}: ${message}` });
}

function loggedProperties(error: Error): Record<string, string | number> {
  const values = error as unknown as Record<string, unknown>;
  return Object.fromEntries(
    LOGGED_PROPERTIES.flatMap((name): [string, string | number][] => {
      const value = values[name];
      if (typeof value === 'string') return [[name, scrub(value)]];
      return typeof value === 'number' ? [[name, value]] : [];
    }),
  );
}
