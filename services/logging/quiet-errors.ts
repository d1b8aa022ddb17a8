import type { Logger } from 'pino';

const SAME_AGAIN_MS = 10_000;
/** Messages may hold numbers that differ each time. */
const MOST_KINDS = 50;

export interface QuietErrors {
  /** Logs the error, unless one of its kind was logged a moment ago. */
  failed: (error: unknown) => void;
  /** Logs, once, that it works again. */
  mended: () => void;
}

/**
 * Tells of something that breaks, goes on failing many times a second, and mends by itself: each kind
 * of error at once and then every ten seconds at most, with how many there were; and its end.
 *
 * @param what names it in the log
 */
export function quietErrors(
  log: Pick<Logger, 'error' | 'info'>,
  what: string,
  everyMs = SAME_AGAIN_MS,
): QuietErrors {
  const saidAt = new Map<string, number>();
  let failures = 0;
  let isSaid = false;
  return {
    failed(error) {
      failures += 1;
      const kind = kindOf(error);
      const now = Date.now();
      if (now - (saidAt.get(kind) ?? -Infinity) < everyMs) return;
      if (saidAt.size >= MOST_KINDS) saidAt.clear();
      saidAt.set(kind, now);
      isSaid = true;
      log.error({ err: error, failures }, what);
    },
    mended() {
      if (isSaid) log.info({ failures }, `${what}: works again`);
      isSaid = false;
      failures = 0;
    },
  };
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.message;
}
