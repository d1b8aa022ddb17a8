import pTimeout from 'p-timeout';

/** A source that answers later than this is away; what it last said is given meanwhile. */
const TIMEOUT_MS = 300;

/**
 * A reader that asks its source at most once in so many milliseconds, however often it is asked,
 * and once only for all who wait. While the source fails or does not answer, what it last said is
 * still given.
 */
export function recently<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let known: { value: T } | undefined;
  let asking: Promise<T> | undefined;
  let until = 0;

  function ask(): Promise<T> {
    until = Date.now() + milliseconds;
    asking ??= read()
      .then((value) => {
        known = { value };
        return value;
      })
      .finally(() => (asking = undefined));
    return asking;
  }

  return async () => {
    if (!known) return ask();
    if (Date.now() < until && !asking) return known.value;
    const { value } = known;
    const fallback = () => value;
    return pTimeout(ask().catch(fallback), { milliseconds: TIMEOUT_MS, fallback });
  };
}
