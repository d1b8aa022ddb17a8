import { reasonOf } from '#errors/reason-of.ts';

/** What is taken out of every text that leaves the process for a log or for a queue. */
interface ScrubRule {
  /** Stands in its place, in square brackets. */
  name: string;
  pattern: RegExp;
  /** It is looked for only where one of these is: most lines have none, and most patterns are slow. */
  hints?: readonly string[];
  /** What of it stays; by default nothing. */
  keep?: (match: string, ...groups: string[]) => { before?: string; after?: string } | null;
}

const CARD_LENGTH = { from: 13, to: 19 };

// The texts may be JSON inside JSON: a pattern goes past no quote and no backslash.
export const SCRUB_RULES: readonly ScrubRule[] = [
  {
    name: 'private key',
    // One that was cut off ends with its text: what stands behind it in a line of JSON stays.
    pattern:
      /-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*?(?:-----END [A-Z ]*PRIVATE KEY-----|(?=\\{0,7}")|$)/gu,
  },
  // Firebase's tokens; the emulator's have no signature. A header has less than 200 characters; without
  // an end, a long text of what may be such headers would be read again from each of them.
  { name: 'token', pattern: /\beyJ[\w-]{8,1000}\.[\w-]+\.[\w-]*/gu },
  { name: 'authorization', pattern: /\b(?:Bearer|Basic) [\w.~+/=-]{6,}/giu },
  // Before the keys, whose beginning it does not have.
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
      // It stays JSON, and whether there is one may be said.
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
 * Takes secrets and what tells of a person out of a text: the last line of defence, behind not
 * logging them. What is left says what was there: `[address]`.
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

/** By Luhn's checksum: of numbers of that length nine in ten are none. */
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
interface SafeError {
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
