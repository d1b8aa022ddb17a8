import pTimeout from 'p-timeout';

/** After this time the last value is returned instead. */
const TIMEOUT_MS = 300;

/**
 * Caches a reader: the source is read at most once in `ttlMs`, and once for all concurrent callers.
 * While the source fails or is slow, callers get the last value.
 */
export function cached<T>(ttlMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { value: T } | undefined;
  let reading: Promise<T> | undefined;
  let freshUntil = 0;

  function refresh(): Promise<T> {
    freshUntil = Date.now() + ttlMs;
    reading ??= read()
      .then((value) => {
        last = { value };
        return value;
      })
      .finally(() => (reading = undefined));
    return reading;
  }

  return async () => {
    if (!last) return refresh();
    if (Date.now() < freshUntil && !reading) return last.value;
    const { value } = last;
    const fallback = () => value;
    return pTimeout(refresh().catch(fallback), { milliseconds: TIMEOUT_MS, fallback });
  };
}
