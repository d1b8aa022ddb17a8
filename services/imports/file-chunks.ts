import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '#audit/actor.ts';
import type { Database, Queryable } from '#database/pool.ts';
import { ImportEnded, READING } from './end-import.ts';
import { RefusedFile } from './file-rows.ts';

/** All chunks of a file but the last are of this size, so that a byte's chunk can be computed. */
export const CHUNK_BYTES = 256 * 1024;

/** How often a file that is still arriving is asked for more. */
const ASK_MS = 50;
/** A sender that says nothing for so long is gone; the gateway gives up on it earlier. */
const SILENCE_S = 90;

// One round trip for each chunk. Only the end of the file has to be on the disk before anybody is
// told that it is here, and writing that writes everything before it.
const STORE_CHUNK = `
  with reading as (
    update question_import set bytes_received = $4, heard_at = clock_timestamp()
    where id = $1 and state = 'receiving' and set_config('synchronous_commit', 'off', true) = 'off'
      and ($5::text is null or exists (select from account where uid = $5 and state = 'active'))
    returning id)
  insert into import_chunk (import_id, number, content) select id, $2, $3 from reading`;

interface Chunk {
  importId: string;
  importedBy: Actor;
  /** From 0. */
  number: number;
  content: Buffer;
}

/**
 * Keeps the next chunk of a file.
 *
 * @returns false when it is not wanted any more: the import was refused or cancelled meanwhile, or the
 *   administrator's account was closed
 */
export async function storeChunk(
  db: Queryable,
  { importId, importedBy, number, content }: Chunk,
): Promise<boolean> {
  const uid = typeof importedBy === 'string' ? null : importedBy.uid;
  const { rowCount } = await db.query({
    name: 'store-chunk',
    text: STORE_CHUNK,
    values: [importId, number, content, number * CHUNK_BYTES + content.length, uid],
  });
  return rowCount === 1;
}

/**
 * Reads a file from a byte on, waiting for what has not arrived yet.
 *
 * @param signal ends the reading
 * @throws ImportEnded when the import is cancelled, RefusedFile when the sender went away, the signal's
 *   reason
 */
export async function* readChunks(
  db: Database,
  importId: string,
  fromByte: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  let number = Math.floor(fromByte / CHUNK_BYTES);
  let skip = fromByte % CHUNK_BYTES;
  for (;;) {
    signal?.throwIfAborted();
    // Asked for before the chunk: if all of the file was here then, and the chunk is not, it ended.
    const { state, silent } = await readArrival(db, importId);
    const content = await readChunk(db, importId, number);
    if (content) {
      yield skip > 0 ? content.subarray(skip) : content;
      skip = 0;
      number += 1;
    } else {
      if (state === 'processing') return;
      if (silent) throw new RefusedFile('interrupted');
      await sleep(ASK_MS);
    }
  }
}

async function readArrival(db: Database, importId: string) {
  const { rows } = await db.query<{ state: string; silent: boolean }>({
    name: 'read-arrival',
    text: `select state, heard_at < clock_timestamp() - make_interval(secs => ${SILENCE_S}) as silent
           from question_import where id = $1`,
    values: [importId],
  });
  const arrival = rows[0];
  if (!arrival || !READING.some((state) => state === arrival.state)) throw new ImportEnded();
  return arrival;
}

async function readChunk(db: Database, importId: string, number: number): Promise<Buffer | null> {
  const { rows } = await db.query<{ content: Buffer }>({
    name: 'read-chunk',
    text: 'select content from import_chunk where import_id = $1 and number = $2',
    values: [importId, number],
  });
  return rows[0]?.content ?? null;
}

/** Deletes what is kept of a file; done when nothing of it will be read again. */
export async function deleteAllChunks(db: Queryable, importId: string): Promise<void> {
  await db.query('delete from import_chunk where import_id = $1', [importId]);
}
