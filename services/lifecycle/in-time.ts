import { setTimeout as sleep } from 'node:timers/promises';

/** What a call answers, or undefined when it fails or takes longer: a queue that is away may hang. */
export async function inTime<T>(ms: number, call: Promise<T>): Promise<T | undefined> {
  const late = sleep(ms, undefined, { ref: false });
  return Promise.race([call.catch(() => undefined), late]);
}
