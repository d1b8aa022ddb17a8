import pino, { type DestinationStream, type Level, type Logger } from 'pino';
import { describeError } from './safe-error.ts';
import { scrub } from './scrub.ts';

export type { Logger };

export interface LoggerOptions {
  /** What the process is. */
  kind: 'gateway' | 'workers';
  level?: Level | 'silent' | undefined;
  /** Which release runs. */
  version?: string | undefined;
}

/**
 * Never to be logged; should somebody do so, it is hidden. Not deeper in a line's fields (`*.body`): that
 * costs 25 µs for every line, five times as much as the line itself.
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
 * Makes the log of a process: one line of JSON for each event, on stdout. Nothing that tells of a
 * person and no secret gets into it: errors are told of by what is known to be harmless, fields of
 * certain names are hidden, and each line is looked through as a whole before it is written.
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
        // Neither headers, which open doors, nor the caller's address, nor what was asked.
        req: ({ method }: { method: string }) => ({ method }),
        res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      },
      redact: { paths: HIDDEN, censor: '[hidden]' },
      hooks: { streamWrite: (line) => scrub(line) },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}
