import { stringify } from 'csv-stringify/sync';
import { type Actor, nameOf, requireActiveActor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { type Database, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { CSV_COLUMNS, toCells } from '#questions/csv-format.ts';
import { refuseImport } from './end-import.ts';
import { CHUNK_BYTES, storeChunk } from './file-chunks.ts';

/** Twice what is called normal. */
export const MAX_FILE_BYTES = 2 * 1024 ** 3;

export interface NewImport {
  /** Chosen by the sender, so that sending again does not import again. */
  id: string;
  importedBy: Actor;
  format: 'json' | 'csv';
  dryRun: boolean;
  onDuplicate: 'skip' | 'update';
  fileName: string | null;
  /** As the sender says. */
  bytesTotal: number | null;
}

/**
 * Begins an import: from now on a worker reads what arrives.
 *
 * @returns false when there is one under this id already
 * @throws AppError `payload_too_large`
 */
export async function beginImport(db: Database, wish: NewImport): Promise<boolean> {
  if ((wish.bytesTotal ?? 0) > MAX_FILE_BYTES) throw new AppError('payload_too_large');
  return withTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(
      `insert into question_import
         (id, imported_by, state, format, dry_run, on_duplicate, file_name, bytes_total)
       values ($1, $2, 'receiving', $3, $4, $5, $6, $7) on conflict do nothing`,
      [
        wish.id,
        nameOf(wish.importedBy),
        wish.format,
        wish.dryRun,
        wish.onDuplicate,
        wish.fileName,
        wish.bytesTotal,
      ],
    );
    if (!rowCount) return false;
    await emit(tx, 'import.changed', { import_id: wish.id });
    await recordAction(tx, {
      actor: wish.importedBy,
      action: 'import.started',
      subject: wish.id,
      details: { file_name: wish.fileName, dry_run: wish.dryRun },
    });
    return true;
  });
}

/**
 * Keeps a file as it arrives, in memory of two chunks. What arrives after the import was ended is
 * read and thrown away, because a sender listens to the answer only when it has sent everything.
 *
 * A sender that goes away refuses the import, and so does an administrator's account that is closed
 * before everything was sent.
 *
 * @throws AppError `payload_too_large`, `account_disabled`
 */
export async function receiveFile(
  db: Database,
  { id: importId, importedBy }: Pick<NewImport, 'id' | 'importedBy'>,
  body: AsyncIterable<Buffer>,
): Promise<void> {
  try {
    let isWanted = true;
    let number = 0;
    // The next chunk is collected while this one is being stored.
    let storing: Promise<boolean> = Promise.resolve(true);
    for await (const chunk of toChunks(body)) {
      isWanted &&= await storing;
      if (!isWanted) continue;
      storing = storeChunk(db, { importId, importedBy, number, content: chunk });
      // Heard of at the next turn; until then it must not count as unheard.
      storing.catch(() => {});
      number += 1;
    }
    await storing;
    await withTransaction(db, async (tx) => {
      await requireActiveActor(tx, importedBy);
      await tx.query(
        `update question_import set state = 'processing', received_at = clock_timestamp(),
           bytes_total = bytes_received
         where id = $1 and state = 'receiving'`,
        [importId],
      );
    });
  } catch (error) {
    await refuseImport(db, importId, { reason: 'interrupted', row: null, byte: null });
    throw error;
  }
}

async function* toChunks(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  let total = 0;
  for await (const part of body) {
    total += part.length;
    if (total > MAX_FILE_BYTES) throw new AppError('payload_too_large');
    let rest = part;
    while (size + rest.length >= CHUNK_BYTES) {
      const cut = CHUNK_BYTES - size;
      yield Buffer.concat([...parts, rest.subarray(0, cut)]);
      rest = rest.subarray(cut);
      parts = [];
      size = 0;
    }
    if (rest.length > 0) parts.push(rest);
    size += rest.length;
  }
  if (size > 0) yield Buffer.concat(parts);
}

const EXAMPLE = {
  language: 'no',
  topic: 'Historie',
  question: 'Når ble Grunnloven underskrevet på Eidsvoll?',
  answer: '17. mai 1814',
  incorrect: ['7. juni 1905', '9. april 1940', '8. mai 1945'],
  explanation: 'Grunnloven ble underskrevet 17. mai 1814. Derfor er 17. mai Norges nasjonaldag.',
  source_url: 'https://www.stortinget.no/',
  checked_at: '2026-01-15',
  group: 'grunnloven-1814',
  tags: ['grunnlov'],
};

/** A file with one question, to be filled in further. CSV begins with a byte-order mark: Excel reads
 * it as UTF-8 only then. */
export function importTemplate(format: 'json' | 'csv'): string {
  if (format === 'json') return `${JSON.stringify([EXAMPLE], null, 2)}\n`;
  return `\uFEFF${stringify([CSV_COLUMNS, toCells(EXAMPLE)])}`;
}
