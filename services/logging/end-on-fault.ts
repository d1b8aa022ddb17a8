import type { Logger } from 'pino';

/**
 * Until the process looks after its own end: an error that nobody catches is a line of the log, and
 * not what Node prints, which is the whole error with all that it carries.
 *
 * @param what the line says
 * @returns ends it
 */
export function endOnFault(log: Pick<Logger, 'fatal'>, what: string): () => void {
  const end = (error: unknown) => {
    log.fatal({ err: error }, what);
    process.exit(1);
  };
  process.once('uncaughtException', end).once('unhandledRejection', end);
  return () => {
    process.off('uncaughtException', end).off('unhandledRejection', end);
  };
}
