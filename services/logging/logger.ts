import pino, { type DestinationStream, type Level, type Logger } from 'pino';
import { describeError, scrub } from './scrub.ts';

export type { Logger };

interface LoggerOptions {
  /** The kind of the process. */
  kind: 'gateway' | 'workers';
  level?: Level | 'silent' | undefined;
  /** The running release. */
  version?: string | undefined;
}

/**
 * Fields that must not be logged; they are redacted in case code does so. Nested fields (`*.body`) are not,
 * because that costs 25 µs for every line, five times as much as the line itself.
 */
const HIDDEN = [
  'authorization',
  'body',
  'client_secret',
  'cookie',
  'email',
  'headers',
  'id_token',
  'password',
  'payload',
  'secret',
  'token',
];

/**
 * Creates the logger of a process: one line of JSON for each event, on stdout. Personal data and secrets are
 * kept out: only harmless properties of errors are logged, fields with certain names are redacted, and every
 * line is scrubbed before it is written.
 *
 * @param destination replaces stdout in tests
 */
export function createLogger(
  { kind, level = 'info', version }: LoggerOptions,
  destination?: DestinationStream,
): Logger {
  return pino(
    {
      level,
      base: { process: kind, pid: process.pid, ...(version && { version }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        err: (error: unknown) => describeError(error),
        error: (error: unknown) => describeError(error),
        // Neither headers, which contain credentials, nor the caller's address, nor the URL.
        req: ({ method }: { method: string }) => ({ method }),
        res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      },
      redact: { paths: HIDDEN, censor: '[hidden]' },
      hooks: { streamWrite: (line) => scrub(line) },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

const REPEAT_INTERVAL_MS = 10_000;
/** Bounds the kinds: messages may hold numbers that differ each time. */
const MAX_KINDS = 50;

interface ThrottledErrors {
  /** Logs the error, unless one of its kind was logged within the interval. */
  onError: (error: unknown) => void;
  /** Logs the recovery once. */
  onRecovery: () => void;
}

/**
 * Throttles the log of something that may fail many times a second and then recovers. Logs each kind of
 * error at once and then at most every ten seconds, with the number of failures; and the recovery.
 *
 * @param what names the failing part in the log
 */
export function throttleErrors(
  log: Pick<Logger, 'error' | 'info'>,
  what: string,
  intervalMs = REPEAT_INTERVAL_MS,
): ThrottledErrors {
  const loggedAt = new Map<string, number>();
  let failures = 0;
  let isLogged = false;
  return {
    onError(error) {
      failures += 1;
      const kind = kindOf(error);
      const now = Date.now();
      if (now - (loggedAt.get(kind) ?? -Infinity) < intervalMs) return;
      if (loggedAt.size >= MAX_KINDS) loggedAt.clear();
      loggedAt.set(kind, now);
      isLogged = true;
      log.error({ err: error, failures }, what);
    },
    onRecovery() {
      if (isLogged) log.info({ failures }, `${what}: works again`);
      isLogged = false;
      failures = 0;
    },
  };
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.message;
}

/**
 * Logs an uncaught error and exits, until the process handles its shutdown. Node would print the whole error
 * with all its properties, which may hold personal data.
 *
 * @param what the message of the log line
 * @returns removes the handlers
 */
export function exitOnUncaughtError(log: Pick<Logger, 'fatal'>, what: string): () => void {
  const end = (error: unknown) => {
    log.fatal({ err: error }, what);
    process.exit(1);
  };
  process.once('uncaughtException', end).once('unhandledRejection', end);
  return () => {
    process.off('uncaughtException', end).off('unhandledRejection', end);
  };
}
