import { LRUCache } from 'lru-cache';
import type { Queryable } from '#database/pool.ts';

/** A value that depends on statistics is served for this long, and then refreshed in the background. */
const FRESH_MS = 5_000;
/** An older value is never served: the caller waits for the refresh. */
const MAX_AGE_MS = 60_000;
/** The largest values take 8 MB. */
const MAX_ENTRIES = 6;

export interface Lookup {
  key: string;
  /** The revision of the bank, read before the value. */
  revision: string;
  /** Whether the value depends on statistics, which change without a new revision. */
  expires: boolean;
}

/**
 * Caches values that take a scan of the whole bank, so that pagination does not repeat the scan for each
 * page. An entry is valid for one revision of the bank. A value that depends on statistics is served
 * stale while it is refreshed, for a minute at most: statistics are counted in the background anyway.
 */
export class RevisionCache<T extends object> {
  readonly #entries = new LRUCache<string, T, () => Promise<T>>({
    max: MAX_ENTRIES,
    ttl: FRESH_MS,
    // The default clock cannot be set by tests.
    perf: Date,
    // An entry that is evicted while it is read still answers the callers that wait for it.
    ignoreFetchAbort: true,
    // A failed refresh keeps the old value; the next call tries again.
    noDeleteOnFetchRejection: true,
    fetchMethod: (_key, _stale, { options, context: read }) => {
      // The age counts from the start of the read.
      Object.assign(options, { start: Date.now() });
      return read();
    },
  });

  #revision = '';

  get({ key, revision, expires }: Lookup, read: () => Promise<T>): Promise<T> {
    if (revision !== this.#revision) this.#entries.clear();
    this.#revision = revision;
    const isTooOld = this.#entries.getRemainingTTL(key) < FRESH_MS - MAX_AGE_MS;
    return this.#entries.forceFetch(key, {
      context: read,
      // 0: it never expires.
      ttl: expires ? FRESH_MS : 0,
      allowStale: !isTooOld,
    });
  }
}

/**
 * A string that changes with every change of the bank. Each committed change has a row. The ids are
 * summed, because of two overlapping transactions the one with the higher id may commit first.
 */
export async function readBankRevision(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ revision: string }>(
    `select concat(max(id), '-', sum(id)) as revision from bank_revision`,
  );
  return rows[0]!.revision;
}
