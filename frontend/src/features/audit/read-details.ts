export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** Fields whose numbers are kroner. */
export const AMOUNTS: ReadonlySet<string> = new Set(['price', 'amount']);

type Details = Record<string, unknown>;

function isRecord(value: unknown): value is Details {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that an action changed: `details.changes`, each with `before` and `after`. */
export function readChanges({ changes }: Details): Change[] {
  if (!isRecord(changes)) return [];
  return Object.entries(changes).flatMap(([field, change]) =>
    isRecord(change) ? [{ field, before: change.before, after: change.after }] : [],
  );
}

/** Everything else that was kept with it, and that says something. */
export function readFacts(details: Details): { field: string; value: unknown }[] {
  return Object.entries(details)
    .filter(([field, value]) => field !== 'changes' && value !== null && value !== false)
    .map(([field, value]) => ({ field, value }));
}
