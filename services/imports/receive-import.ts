import { stringify } from 'csv-stringify/sync';
import type { Import } from '@proveklar/contract/imports.ts';
import { type Actor, nameOf, requireActiveActor } from '#audit/actor.ts';
import { recordAction } from '#audit/record-action.ts';
import { BYTE_ORDER_MARK, EXCEL_CSV } from '#csv/csv.ts';
import { type Database, withTransaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { emit } from '#events/outbox.ts';
import { CSV_COLUMNS, toCells } from '#questions/csv-format.ts';
import { refuseImport } from './end-import.ts';
import { CHUNK_BYTES, storeChunk } from './file-chunks.ts';

/** Twice the size that counts as normal. */
export const MAX_FILE_BYTES = 2 * 1024 ** 3;

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
          columns)
       values ($1, $2, 'receiving', $3, $4, $5, $6, $7, $8) on conflict do nothing`,
      [
        request.id,
        nameOf(request.importedBy),
        request.format,
        request.dryRun,
        request.onDuplicate,
        request.fileName,
        request.bytesTotal,
        choices(request),
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
    let isWanted = true;
    let number = 0;
    // The next chunk is collected while this one is being stored.
    let storing: Promise<boolean> = Promise.resolve(true);
    for await (const chunk of toChunks(body)) {
      isWanted &&= await storing;
      if (!isWanted) continue;
      storing = storeChunk(db, { importId, importedBy, number, content: chunk });
      // Awaited in the next iteration; until then a rejection must not count as unhandled.
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
