import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { CHUNK_BYTES } from '@proveklar/contract/limits.ts';
import type { Actor } from '@proveklar/services/audit/actor.ts';
import type { Database } from '@proveklar/services/database/pool.ts';
import { withImportLock, processImport } from '@proveklar/services/imports/process-import.ts';
import { readImport, type ImportSummary } from '@proveklar/services/imports/read-imports.ts';
import { readReport } from '@proveklar/services/imports/read-report.ts';
import {
  beginImport,
  receiveFile,
  receivePart,
  type NewImport,
} from '@proveklar/services/imports/receive-import.ts';

/** A row of a file, valid unless changed. */
export const fileRow = (question: string, change: object = {}) => ({
  language: 'no',
  topic: 'Historie',
  question,
  answer: 'a',
  incorrect: ['b', 'c', 'd'],
  ...change,
});

/** Sends a file as the gateway would, without processing it. Returns the import's id. */
export async function sendFile(
  db: Database,
  file: string | Buffer | readonly unknown[],
  options: Partial<NewImport> = {},
): Promise<string> {
  const id = options.id ?? randomUUID();
  const importedBy = options.importedBy ?? 'admin@example.no';
  await beginImport(db, {
    format: 'json',
    dryRun: false,
    onDuplicate: 'skip',
    fileName: null,
    bytesTotal: null,
    ...options,
    id,
    importedBy,
  });
  const bytes = Buffer.from(
    typeof file === 'string' || Buffer.isBuffer(file) ? file : JSON.stringify(file),
  );
  await receiveFile(
    db,
    { id, importedBy },
    (async function* () {
      if (bytes.length > 0) yield bytes;
    })(),
  );
  return id;
}

/** Begins an import whose file is sent in parts. Returns its id. */
export async function beginUpload(
  db: Database,
  bytes: number,
  options: Partial<NewImport> = {},
): Promise<string> {
  const id = options.id ?? randomUUID();
  await beginImport(db, {
    importedBy: 'admin@example.no',
    format: 'json',
    dryRun: false,
    onDuplicate: 'skip',
    fileName: 'questions.json',
    ...options,
    id,
    bytesTotal: bytes,
    resumable: true,
  });
  return id;
}

/** `Upload-Checksum` of the beginning of a file. */
export function checksumOf(sent: Buffer): string {
  const all = createHash('sha256');
  for (let at = 0; at < sent.length; at += CHUNK_BYTES) {
    all.update(
      createHash('sha256')
        .update(sent.subarray(at, at + CHUNK_BYTES))
        .digest(),
    );
  }
  return all.digest('hex');
}

interface SentPart {
  id: string;
  importedBy?: Actor;
  offset?: number;
  checksum?: string | null;
}

/** Sends a part of a file as the gateway would. */
export async function sendPart(
  db: Database,
  { id, importedBy = 'admin@example.no', offset = 0, checksum = null }: SentPart,
  body: Buffer | AsyncIterable<Buffer>,
): Promise<void> {
  const bytes = Buffer.isBuffer(body) ? Readable.from(body.length > 0 ? [body] : []) : body;
  await receivePart(db, { importId: id, importedBy, offset, checksum }, bytes);
}

/** Processes an import as a worker would; false when another import holds the lock. */
export function workOn(db: Database, importId: string): Promise<boolean> {
  return withImportLock(db, importId, () => processImport(db, importId));
}

/** Sends a file and processes it; returns the import's summary. */
export async function importFile(
  db: Database,
  file: Parameters<typeof sendFile>[1],
  options: Partial<NewImport> = {},
): Promise<ImportSummary> {
  const id = await sendFile(db, file, options);
  if (!(await workOn(db, id))) throw new Error('Another import is halfway');
  return readImport(db, id);
}

/** The whole report, one line per row: `3 rejected answer missing`. */
export async function reportOf(db: Database, importId: string): Promise<string[]> {
  const rows = await readReport(db, importId, { after: 0, limit: 10_000 });
  return rows.map(({ row, outcome, faults }) =>
    [row, outcome, ...faults.map(({ field, reason }) => `${field} ${reason}`)].join(' '),
  );
}

/** How many rows an import has in each table: questions, waiting updates, chunks of the file. */
export async function tracesOf(db: Database, importId: string) {
  const { rows } = await db.query<{ questions: number; updates: number; chunks: number }>(
    `select (select count(*)::int from question where import_id = $1) as questions,
            (select count(*)::int from import_update where import_id = $1) as updates,
            (select count(*)::int from import_chunk where import_id = $1) as chunks`,
    [importId],
  );
  return rows[0]!;
}
