import type { Queryable, Transaction } from '#database/pool.ts';
import { type FindImage, type StoredImage, toDataUri } from './read-image.ts';

/** The path of a picture; the API document declares it. */
const PATH = '/api/v1/images/';

/** SQL: the picture of a `question`, a `question_version` or of the view `shown_question`, as the API has it. */
export const imageOf = (from: string) => `
  (select jsonb_build_object('url', '${PATH}' || image.hash, 'alt', ${from}.image_alt,
            'width', image.width, 'height', image.height)
   from image where image.hash = ${from}.image_hash)`;

/** Finds pictures by their hashes. */
export function findImageIn(db: Queryable): FindImage {
  return async (hash) => {
    const { rows } = await db.query<{ type: string; width: number; height: number }>(
      'select type, width, height from image where hash = $1',
      [hash],
    );
    return rows[0] ?? null;
  };
}

/**
 * Stores pictures that questions of this transaction get. It locks those that are there, so that the nightly
 * clean-up keeps them.
 */
export async function storeImages(tx: Transaction, images: Iterable<StoredImage>): Promise<void> {
  // In the order of the hashes: two transactions never wait for each other.
  const sorted = [...images].toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  for (const { hash, type, content, width, height } of sorted) {
    await tx.query(
      `insert into image (hash, type, content, width, height) values ($1, $2, $3, $4, $5)
       on conflict (hash) do update set stored_at = clock_timestamp()`,
      [hash, type, content, width, height],
    );
  }
}

/** A picture by its hash; null when there is none. */
export async function readStoredImage(
  db: Queryable,
  hash: string,
): Promise<Pick<StoredImage, 'type' | 'content'> | null> {
  const { rows } = await db.query<Pick<StoredImage, 'type' | 'content'>>({
    name: 'read-image',
    text: 'select type, content from image where hash = $1',
    values: [hash],
  });
  return rows[0] ?? null;
}

/** A picture as it was sent: a data URI. */
export async function readDataUri(db: Queryable, hash: string): Promise<string> {
  return toDataUri((await readStoredImage(db, hash))!);
}

/**
 * Removes pictures that no question has, no version of one, and no update that an import has noted. A day is kept for
 * transactions that are about to use one.
 */
export async function forgetUnusedImages(tx: Transaction): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from image
     where stored_at < clock_timestamp() - interval '1 day'
       and not exists (select from question where image_hash = image.hash)
       and not exists (select from question_version where image_hash = image.hash)
       and not exists (select from import_update where row->>'image_hash' = image.hash)`,
  );
  return rowCount ?? 0;
}
