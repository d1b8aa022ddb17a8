import { LRUCache } from 'lru-cache';
import type { Queryable } from '#database/pool.ts';

/** What statistics say is given out for as long as that, and then read anew beside. */
const FRESH_MS = 5_000;
/** Older than that nobody is given one: it is waited for. */
const MAX_AGE_MS = 60_000;
/** The largest take 8 MB. */
const MAX_KEPT = 6;

export interface Wanted {
  /** The same for the same question. */
  key: string;
  /** Of the bank, from before it is read. */
  revision: string;
  /** Whether it depends on statistics, which change without a revision. */
  ages: boolean;
}

/**
 * Keeps what was read last by going through the whole bank, so that whoever turns the pages of a list
 * does not have that done for every page. It holds for its revision of the bank; what depends on
 * statistics, which are counted in the background anyway, may be a minute old.
 */
export class KeptReadings<T extends object> {
  readonly #readings = new LRUCache<string, T, () => Promise<T>>({
    max: MAX_KEPT,
    ttl: FRESH_MS,
    // Its own clock is one that tests cannot set.
    perf: Date,
    // One that is pushed out while it is read still answers those who wait for it.
    ignoreFetchAbort: true,
    // What there is outlives a renewal that fails; the next who asks tries again.
    noDeleteOnFetchRejection: true,
    fetchMethod: (_key, _stale, { options, context: read }) => {
      // It is as old as the beginning of its reading.
      Object.assign(options, { start: Date.now() });
      return read();
    },
  });

  #revision = '';

  get({ key, revision, ages }: Wanted, read: () => Promise<T>): Promise<T> {
    if (revision !== this.#revision) this.#readings.clear();
    this.#revision = revision;
    const isTooOld = this.#readings.getRemainingTTL(key) < FRESH_MS - MAX_AGE_MS;
    return this.#readings.forceFetch(key, {
      context: read,
      // 0: it never ages.
      ttl: ages ? FRESH_MS : 0,
      allowStale: !isTooOld,
    });
  }
}

/**
 * Another one whenever somebody has changed what is in the bank. Every change that can be seen has its
 * row, so they are summed up: of two that overlap, the later may be seen first.
 */
export async function revisionOf(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ revision: string }>(
    `select concat(max(id), '-', sum(id)) as revision from bank_revision`,
  );
  return rows[0]!.revision;
}
