import { ApiError } from '#lib/api-error.ts';
import { backoff } from '#lib/backoff.ts';

/**
 * 1, 2, 4, 8 s, then every 15. Jitter: all clients of a gateway that fell meet the failure at once, and
 * had better not come back so.
 */
const RETRY = { min: 1_000, max: 15_000, jitter: [1, 1.2] } as const;

/** Until a person does something: signs in again, or is let in again. */
export const NOT_BY_ITSELF = Infinity;

export type Wait = {
  /** In milliseconds, or `NOT_BY_ITSELF`. */
  ms: number;
  /** The service named the time: nothing shortens it. */
  told: boolean;
};

/**
 * How long to wait after so many failures in a row. What the service asks for (`Retry-After`) is
 * respected; a call that it refuses for who is asking is not repeated by itself.
 */
export function waitAfter(failures: number, error: unknown, random = Math.random): Wait {
  if (error instanceof ApiError && error.status === 401) return { ms: NOT_BY_ITSELF, told: false };
  const ms = backoff(failures - 1, { ...RETRY, random });
  const told = error instanceof ApiError ? (error.retryAfterS ?? 0) * 1_000 : 0;
  return told > ms ? { ms: told, told: true } : { ms, told: false };
}

/** A wait that can be ended. */
export function startWait({ ms, told }: Wait): {
  over: Promise<void>;
  /** Ends it, unless the service named the time. */
  hurry: () => void;
  /** Ends it in any case. */
  stop: () => void;
} {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = ms === NOT_BY_ITSELF ? undefined : setTimeout(resolve, ms);
  function stop() {
    clearTimeout(timer);
    resolve();
  }
  return { over: promise, hurry: () => !told && stop(), stop };
}
