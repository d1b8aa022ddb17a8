/**
 * A reader that asks its source at most once in so many milliseconds, however often it is asked,
 * and once only for all who wait. While the source fails, what it last said is still given.
 */
export function recently<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let last: Promise<T> | undefined;
  let until = 0;
  return () => {
    if (!current || Date.now() >= until) {
      until = Date.now() + milliseconds;
      const asked = read();
      current = asked.catch((error: unknown) => {
        if (last) return last;
        // Nothing to fall back on: the next one asks again.
        until = 0;
        throw error;
      });
      asked.then(
        () => (last = asked),
        () => {},
      );
    }
    return current;
  };
}
