import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { to as copyTo } from 'pg-copy-streams';
import { CHUNK_BYTES } from '@proveklar/contract/limits.ts';
import type { Actor } from '#audit/actor.ts';
import { type Database, type Queryable, withTransaction } from '#database/pool.ts';
import { ImportEnded, READING } from './end-import.ts';
import { RefusedFile } from './file-rows.ts';

// Every chunk but the last has CHUNK_BYTES, so that the chunk of a byte can be computed.

/** How often the reader of a file that is still arriving looks for the next chunk. */
const POLL_INTERVAL_MS = 50;
/** A sender that is silent for this long is gone; the gateway times out earlier. */
const SENDER_TIMEOUT_S = 90;
/** A sender that went away is usually back within seconds; until then the rows that were read are kept. */
export const PAUSE_GRACE_S = 20;

// One round trip for each chunk, without waiting for the disk: the commit that ends the file waits for it,
// and flushes everything before it.
const STORE_CHUNK = `
  with reading as (
    update question_import set bytes_received = $4, heard_at = clock_timestamp()
    where id = $1 and state = 'receiving' and sender = $6 and set_config('synchronous_commit', 'off', true) = 'off'
      and ($5::text is null or exists (select from account where uid = $5 and state = 'active'))
    returning id)
  insert into import_chunk (import_id, number, content) select id, $2, $3 from reading`;

interface Chunk {
  importId: string;
  importedBy: Actor;
  /** Which of the requests that send the file; 0 where one sends all of it. */
  sender: number;
  /** From 0. */
  number: number;
  content: Buffer;
}

/**
 * Stores the next chunk of a file.
 *
 * @returns false when the import was refused, cancelled or paused meanwhile, another request sends the file by now, or
 *   the administrator's account was closed: the rest of the request is not wanted
 */
export async function storeChunk(
  db: Queryable,
  { importId, importedBy, sender, number, content }: Chunk,
): Promise<boolean> {
  const uid = typeof importedBy === 'string' ? null : importedBy.uid;
  const { rowCount } = await db.query({
    name: 'store-chunk',
    text: STORE_CHUNK,
    values: [importId, number, content, number * CHUNK_BYTES + content.length, uid, sender],
  });
  return rowCount === 1;
}

/**
 * Reads a file from a byte on, and waits for chunks that have not arrived yet, also of an upload that was paused a moment
 * ago.
 *
 * @param signal ends the reading
 * @throws ImportEnded when the import is cancelled, RefusedFile when the sender went away, or the reason
 *   of the signal
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
    // Read before the chunk: if the whole file had arrived by then and the chunk is missing, the file has ended.
    const { state, silent } = await readArrival(db, importId);
    const content = await readChunk(db, importId, number);
    if (content) {
      yield skip > 0 ? content.subarray(skip) : content;
      skip = 0;
      number += 1;
    } else {
      if (state === 'processing') return;
      if (silent) throw new RefusedFile('interrupted');
      await sleep(POLL_INTERVAL_MS);
    }
  }
}

/** Reads what is stored of a file from its start, whatever the state of its import. */
export async function* readStored(db: Database, importId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const content = await readChunk(db, importId, number);
    if (!content) return;
    yield content;
  }
}

async function readArrival(db: Database, importId: string) {
  const { rows } = await db.query<{ state: string; silent: boolean }>({
    name: 'read-arrival',
    text: `select state, heard_at < clock_timestamp() - make_interval(secs =>
             case when state = 'paused' then ${PAUSE_GRACE_S} else ${SENDER_TIMEOUT_S} end) as silent
           from question_import where id = $1`,
    values: [importId],
  });
  const arrival = rows[0];
  if (!arrival || !READING.some((state) => state === arrival.state)) throw new ImportEnded();
  return arrival;
}

/**
 * What COPY sends in its binary format around the only field of the only row: a signature, flags, the length of an
 * extension, the number of fields and the length of the field; and the end.
 */
const BINARY_HEAD_BYTES = 11 + 4 + 4 + 2 + 4;
const BINARY_TAIL_BYTES = 2;

/** Copied, because the driver reads a column as text, which is larger and has to be decoded. */
async function readChunk(db: Database, importId: string, number: number): Promise<Buffer | null> {
  const copied = await withTransaction(db, (tx) => {
    const id = tx.escapeLiteral(importId);
    const chunk = tx.query(
      copyTo(`copy (select content from import_chunk where import_id = ${id} and number = ${number})
              to stdout (format binary)`),
    );
    return buffer(chunk);
  });
  // Without a row there is less than the head. No chunk is empty.
  const content = copied.subarray(BINARY_HEAD_BYTES, -BINARY_TAIL_BYTES);
  return content.length > 0 ? content : null;
}

/** Deletes the chunks of a file, once it will not be read again. */
export async function deleteAllChunks(db: Queryable, importId: string): Promise<void> {
  await db.query('delete from import_chunk where import_id = $1', [importId]);
}
