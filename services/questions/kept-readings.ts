import type { Queryable } from '#database/pool.ts';

/** What statistics say is given out for as long as that, and then read anew beside. */
const FRESH_MS = 5_000;
/** Older than that nobody is given one: it is waited for. */
const STALE_MS = 60_000;
/** The largest take 8 MB. */
const MOST_KEPT = 6;

interface Kept<T> {
  revision: string;
  readAt: number;
  reading: Promise<T>;
  isRenewed: boolean;
}

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
export class KeptReadings<T> {
  readonly #kept = new Map<string, Kept<T>>();

  get({ key, revision, ages }: Wanted, read: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(key);
    const age = kept && ages ? Date.now() - kept.readAt : 0;
    if (!kept || kept.revision !== revision || age > STALE_MS) {
      return this.#keep(key, revision, read());
    }
    this.#putLast(key, kept);
    if (age > FRESH_MS && !kept.isRenewed) this.#renew(key, kept, read);
    return kept.reading;
  }

  #keep(key: string, revision: string, reading: Promise<T>): Promise<T> {
    const kept = { revision, readAt: Date.now(), reading, isRenewed: false };
    this.#putLast(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
    reading.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    });
    return reading;
  }

  /** One that fails is tried again by the next who asks; what there is still holds. */
  #renew(key: string, kept: Kept<T>, read: () => Promise<T>): void {
    kept.isRenewed = true;
    const readAt = Date.now();
    read().then(
      (value) => {
        if (this.#kept.get(key) !== kept) return;
        this.#kept.set(key, { ...kept, readAt, reading: Promise.resolve(value), isRenewed: false });
      },
      () => (kept.isRenewed = false),
    );
  }

  #putLast(key: string, kept: Kept<T>): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
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
