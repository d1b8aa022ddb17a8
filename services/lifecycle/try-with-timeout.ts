import pTimeout from 'p-timeout';

/** The result of a call; undefined when it fails or times out. A queue that is down may hang. */
export function tryWithTimeout<T>(milliseconds: number, call: Promise<T>): Promise<T | undefined> {
  return pTimeout(
    call.catch(() => undefined),
    { milliseconds, message: false },
  );
}
