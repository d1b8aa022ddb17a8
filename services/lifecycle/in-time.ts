import pTimeout from 'p-timeout';

/** What a call answers, or undefined when it fails or takes longer: a queue that is away may hang. */
export function inTime<T>(milliseconds: number, call: Promise<T>): Promise<T | undefined> {
  return pTimeout(
    call.catch(() => undefined),
    { milliseconds, message: false },
  );
}
