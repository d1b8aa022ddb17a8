import { EVENTS } from '@proveklar/services/events/catalogue.ts';

/** A job's data names a batch; whatever else somebody put there is not for the board. */
export function shownData(data: unknown): { batch_id?: string } {
  const { batch_id: batch } = (data ?? {}) as { batch_id?: unknown };
  return typeof batch === 'string' ? { batch_id: batch } : {};
}

/** The event's name, which is one of ours. */
export function shownName({ name }: { name: string }): string {
  return name in EVENTS ? name : 'unknown';
}

const ERRORS = new Set(['failedReason', 'stacktrace', 'deferredFailure', 'logs']);

/**
 * An answer of the board in which the texts of errors, which it has no formatter for, went through
 * `clean`. Workers write them clean; a version before this one may not have.
 */
export function withCleanErrors(answer: unknown, clean: (text: string) => string): unknown {
  if (Array.isArray(answer)) return answer.map((item) => withCleanErrors(item, clean));
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      ERRORS.has(name) ? cleanText(value, clean) : withCleanErrors(value, clean),
    ]),
  );
}

function cleanText(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  return Array.isArray(value) ? value.map((item) => cleanText(item, clean)) : value;
}
