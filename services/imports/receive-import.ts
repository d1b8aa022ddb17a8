import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import type { Import } from '@proveklar/contract/imports.ts';
import { CHUNK_BYTES, MAX_FILE_BYTES } from '@proveklar/contract/limits.ts';
import { type Actor, nameOf, requireActiveActor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { BYTE_ORDER_MARK, EXCEL_CSV } from '#csv/csv.ts';
import { type Database, type Queryable, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { CSV_COLUMNS, toCells } from '#questions/csv-format.ts';
import { refuseImport } from './end-import.ts';
import { storeChunk } from './file-chunks.ts';

export interface NewImport {
  /** Chosen by the sender: the idempotency key, so that sending again does not import again. */
  id: string;
  importedBy: Actor;
  format: Import['format'];
  dryRun: boolean;
  onDuplicate: 'skip' | 'update';
  fileName: string | null;
  /** The field of each column of a table, in place of its headings; '' is not read. */
  columns?: readonly string[] | null;
  /** The sheet of a workbook; by default the first. */
  sheet?: string | null;
  /** As the sender says. */
  bytesTotal: number | null;
  /** The file is sent in parts (`receivePart`), each where the one before stopped; `bytesTotal` must be known. */
  resumable?: boolean;
}

/**
 * Begins an import. From now on a worker reads the chunks as they arrive.
 *
 * @returns false when an import with this id exists already
 * @throws AppError `payload_too_large`
 */
export async function beginImport(db: Database, request: NewImport): Promise<boolean> {
  if ((request.bytesTotal ?? 0) > MAX_FILE_BYTES) throw new AppError('payload_too_large');
  return withTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `insert into question_import
         (id, imported_by, state, format, dry_run, on_duplicate, file_name, bytes_total,
          columns, resumable)
       values ($1, $2, 'receiving', $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
      [
        request.id,
        nameOf(request.importedBy),
        request.format,
        request.dryRun,
        request.onDuplicate,
        request.fileName,
        request.bytesTotal,
        choices(request),
        request.resumable ?? false,
      ],
    );
    if (!rowCount) return false;
    await emit(tx, 'import.changed', { import_id: request.id });
    await recordAction(tx, {
      actor: request.importedBy,
      action: 'import.started',
      subject: request.id,
      details: { file_name: request.fileName, dry_run: request.dryRun },
    });
    return true;
  });
}

function choices({ columns, sheet }: NewImport): object | null {
  if (!columns && !sheet) return null;
  return { ...(columns && { chosen: columns }), ...(sheet && { sheet }) };
}

/**
 * Stores a file as it arrives, with at most two chunks in memory. Discards what arrives after the import
 * was ended, because a sender reads the response only after it has sent everything.
 *
 * The import is refused when the sender goes away, or when the administrator's account is closed before
 * everything was sent.
 *
 * @throws AppError `payload_too_large`, `account_disabled`
 */
export async function receiveFile(
  db: Database,
  { id: importId, importedBy }: Pick<NewImport, 'id' | 'importedBy'>,
  body: AsyncIterable<Buffer>,
): Promise<void> {
  try {
    await storeChunks(db, { importId, importedBy, sender: 0, number: 0 }, toChunks(body));
    await endFile(db, { importId, importedBy, sender: 0 });
  } catch (error) {
    await refuseImport(db, importId, { reason: 'interrupted', row: null, byte: null });
    throw error;
  }
}

/** One of the requests that send a file in parts. */
export interface FilePart {
  importId: string;
  importedBy: Actor;
  /** Where it begins in the file. */
  offset: number;
  /** Of what was sent before, see `sentSoFar`. */
  checksum: string | null;
}

/**
 * Stores a part of a file as it arrives: the first one, or one that resumes the upload where it stopped. The upload is
 * paused when the sender goes away. What does not fill a chunk, and is not the end of the file, is not kept.
 *
 * @throws AppError `import_not_found`, also for the import of another person; `import_state`;
 *   `import_upload_offset` with the right `offset`; `import_upload_changed`; `account_disabled`
 */
export async function receivePart(
  db: Database,
  part: FilePart,
  body: AsyncIterable<Buffer>,
): Promise<void> {
  const { importId, importedBy, offset } = part;
  const { sender, bytesTotal } = await resumeUpload(db, part);
  try {
    const chunks = toChunks(body, { from: offset, total: bytesTotal });
    await storeChunks(db, { importId, importedBy, sender, number: offset / CHUNK_BYTES }, chunks);
    await endFile(db, { importId, importedBy, sender });
  } catch (error) {
    await db.query(
      `update question_import set state = 'paused', heard_at = clock_timestamp()
       where id = $1 and state = 'receiving' and sender = $2`,
      [importId, sender],
    );
    throw error;
  }
}

/** Makes the request the one that sends the file from now on. */
async function resumeUpload(
  db: Database,
  { importId, importedBy, offset, checksum }: FilePart,
): Promise<{ sender: number; bytesTotal: number }> {
  const { rows } = await db.query<{ state: string; bytes_received: number }>(
    `select state, bytes_received from question_import
     where id = $1 and imported_by = $2 and resumable`,
    [importId, nameOf(importedBy)],
  );
  const [upload] = rows;
  if (!upload) throw new AppError('import_not_found');
  if (!RESUMABLE.includes(upload.state)) {
    throw new AppError('import_state', { details: { state: upload.state } });
  }
  // Stored chunks do not change, so the checksum need not be computed in the transaction.
  if (offset === upload.bytes_received && offset > 0) {
    if (checksum !== (await sentSoFar(db, importId, offset))) {
      throw new AppError('import_upload_changed');
    }
  }
  return withTransaction(db, async (tx) => {
    await requireActiveActor(tx, importedBy);
    const { rows: resumed } = await tx.query<{ sender: number; bytesTotal: number }>(
      `update question_import
       set state = 'receiving', sender = sender + 1, heard_at = clock_timestamp()
       where id = $1 and state = any ($2) and bytes_received = $3
       returning sender, bytes_total as "bytesTotal"`,
      [importId, RESUMABLE, offset],
    );
    if (!resumed[0]) {
      throw new AppError('import_upload_offset', { details: { offset: upload.bytes_received } });
    }
    // Also when a worker still reads it: the worker may just have decided to stop.
    await emit(tx, 'import.changed', { import_id: importId });
    return resumed[0];
  });
}

const RESUMABLE = ['receiving', 'paused'];

/** Chunks whose digests are computed at a time. */
const DIGESTS_AT_A_TIME = 256;

/**
 * The checksum of what was sent of a file: SHA-256 of the SHA-256 digests of its chunks, in hexadecimal. A browser can
 * compute it without reading the whole file into memory.
 */
async function sentSoFar(db: Queryable, importId: string, bytes: number): Promise<string> {
  const all = createHash('sha256');
  const chunks = Math.ceil(bytes / CHUNK_BYTES);
  for (let number = 0; number < chunks; number += DIGESTS_AT_A_TIME) {
    const { rows } = await db.query<{ digest: Buffer }>(
      `select sha256(content) as digest from import_chunk
       where import_id = $1 and number >= $2 and number < $3 order by number`,
      [importId, number, Math.min(chunks, number + DIGESTS_AT_A_TIME)],
    );
    for (const { digest } of rows) all.update(digest);
  }
  return all.digest('hex');
}

type Sender = { importId: string; importedBy: Actor; sender: number };

/** Stores chunks from `number` on, while the request is the one that sends the file. */
async function storeChunks(
  db: Database,
  { number, ...sender }: Sender & { number: number },
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  let isWanted = true;
  let next = number;
  // The next chunk is collected while this one is being stored.
  let storing: Promise<boolean> = Promise.resolve(true);
  try {
    for await (const content of chunks) {
      isWanted &&= await storing;
      if (!isWanted) continue;
      storing = storeChunk(db, { ...sender, number: next, content });
      // Awaited in the next iteration; until then a rejection must not count as unhandled.
      storing.catch(() => {});
      next += 1;
    }
  } finally {
    // Also when the sender went away: what has arrived need not be sent again.
    await storing;
  }
}

/** Ends the upload if all of the file has arrived. */
async function endFile(db: Database, { importId, importedBy, sender }: Sender): Promise<void> {
  await withTransaction(db, async (tx) => {
    await requireActiveActor(tx, importedBy);
    await tx.query(
      `update question_import set state = 'processing', received_at = clock_timestamp(),
         bytes_total = bytes_received
       where id = $1 and state = 'receiving' and sender = $2
         and (not resumable or bytes_received = bytes_total)`,
      [importId, sender],
    );
  });
}

/**
 * Cuts a body into chunks. Two buffers take turns, so that a gigabyte leaves no gigabyte to the garbage collector: a chunk is
 * valid until the one after the next is asked for.
 *
 * @param part where a part begins in a file, whose size is known; by default the body is the whole file
 * @throws AppError `payload_too_large`; `import_upload_changed` for a part that is longer than its file
 */
async function* toChunks(
  body: AsyncIterable<Buffer>,
  part?: { from: number; total: number },
): AsyncGenerator<Buffer> {
  const buffers = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)];
  let current = 0;
  let size = 0;
  let total = part?.from ?? 0;
  for await (const received of body) {
    total += received.length;
    if (part && total > part.total) throw new AppError('import_upload_changed');
    if (total > MAX_FILE_BYTES) throw new AppError('payload_too_large');
    let rest = received;
    while (rest.length > 0) {
      const copied = rest.copy(buffers[current]!, size);
      rest = rest.subarray(copied);
      size += copied;
      if (size < CHUNK_BYTES) continue;
      yield buffers[current]!;
      current = 1 - current;
      size = 0;
    }
  }
  if (size > 0 && (!part || total === part.total)) yield buffers[current]!.subarray(0, size);
}

const EXAMPLE = {
  language: 'no',
  topic: 'Historie',
  question: 'Når ble Grunnloven underskrevet på Eidsvoll?',
  answer: '17. mai 1814',
  incorrect: ['7. juni 1905', '9. april 1940', '8. mai 1945'],
  incorrect_reasons: [
    'Da ble unionen med Sverige oppløst.',
    null,
    'Da ble Norge fritt etter krigen.',
  ],
  explanation: 'Grunnloven ble underskrevet 17. mai 1814. Derfor er 17. mai Norges nasjonaldag.',
  source_url: 'https://www.stortinget.no/',
  source_title: 'Stortinget',
  checked_at: '2026-01-15',
  group: 'grunnloven-1814',
  tags: ['grunnlov'],
};

/** A file with one example question, to fill in. */
export function importTemplate(format: 'json' | 'csv'): string {
  if (format === 'json') return `${JSON.stringify([EXAMPLE], null, 2)}\n`;
  return BYTE_ORDER_MARK + stringify([CSV_COLUMNS, toCells(EXAMPLE)], EXCEL_CSV);
}
