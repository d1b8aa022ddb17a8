import type { Transaction } from '#database/pool.ts';
import type { Batch, Difference, ReportedFault } from './batch-rows.ts';
import { findNotOffered, languageRemarks, toWarningRuns } from './batch-warnings.ts';
import { ImportEnded, READING } from './end-import.ts';
import type { CellKinds } from './file-rows.ts';
import type { IdRun } from './repeated-rows.ts';

// What became of the rows of a batch, as it is stored with the batch and counted for the import.

/** The stored outcome of a row that was not simply inserted. */
export type ReportEntry =
  | {
      row: number;
      line: number | null;
      outcome: 'rejected';
      question: string | null;
      faults: ReportedFault[];
    }
  | {
      row: number;
      line: number | null;
      outcome: 'duplicate' | 'updated';
      question_id: number | null;
      /** The earlier row of the file that it repeats. */
      repeats?: number;
      /** What differs although the text is the same. */
      differs?: Difference;
    };

/** A row of the file as it stands there. */
export interface KeptRow {
  row: number;
  source: unknown;
  /** What the cells of a workbook's row are, where they are not text. */
  kinds?: CellKinds | undefined;
}

/** What became of the valid rows of a batch. */
export interface Inserted {
  /** The bank had none of them, nor another batch. */
  allNew: boolean;
  imported: number;
  updated: number;
  duplicates: number;
  repeated: number;
  differing: number;
  report: ReportEntry[];
  ids: IdRun[];
  kept: KeptRow[];
  /** Of other batches, which were faster: `imported` and `updated` rows that count as duplicates by now. */
  lost: { imported: number; updated: number };
}

/** What the warnings of a batch count. */
interface Noted {
  /** Inserted questions by a language that learners are not offered. */
  notOffered: Record<string, number>;
  /** Inserted rows with a warning. */
  warned: number;
  /** Those of them whose warning says what was changed. */
  cleaned: number;
}

/** Stores what became of the rows of a batch, with the warnings about those that were inserted. */
export async function storeOutcome(
  tx: Transaction,
  importId: string,
  batch: Batch,
  { imported, updated, duplicates, report, ids, kept }: Inserted,
): Promise<Noted> {
  const left = new Set(
    report.filter(({ outcome }) => outcome === 'duplicate').map(({ row }) => row),
  );
  const notOffered = await findNotOffered(tx, batch, left);
  const remarks = [...languageRemarks(notOffered.runs), ...batch.remarks].filter(
    ({ row }) => !left.has(row),
  );
  const [first, last] = [Math.min(...ids.map(({ id }) => id)), Math.max(...ids.map(lastId))];
  await tx.query(
    `update import_batch
     set imported = $3, updated = $4, duplicates = $5, report = $6, not_offered = $7,
         warnings = $8, kept_rows = $9, ids = $10, first_id = $11, last_id = $12
     where import_id = $1 and number = $2`,
    [
      importId,
      batch.number,
      imported,
      updated,
      duplicates,
      JSON.stringify(report),
      JSON.stringify(notOffered.runs),
      JSON.stringify(toWarningRuns(batch, remarks)),
      kept.length > 0 ? JSON.stringify(kept) : null,
      JSON.stringify(ids),
      ids.length > 0 ? first : null,
      ids.length > 0 ? last : null,
    ],
  );
  return {
    notOffered: notOffered.counts,
    warned: new Set(remarks.map(({ row }) => row)).size,
    cleaned: new Set(remarks.filter(({ remark }) => remark.cleaned).map(({ row }) => row)).size,
  };
}

const lastId = ({ id, count }: IdRun) => id + count - 1;

/**
 * Adds a batch to the counts of its import. Call it last, because it locks the row that the other batches wait for.
 *
 * @throws ImportEnded when the import is no longer being read
 */
export async function addToImport(
  tx: Transaction,
  importId: string,
  batch: Batch,
  done: Inserted & Noted,
): Promise<void> {
  const { imported, updated, duplicates, lost } = done;
  const { rowCount: isReading } = await tx.query(
    `update question_import
     set imported = imported + $2, updated = updated + $3, duplicates = duplicates + $4,
         rejected = rejected + $5, bytes_done = greatest(bytes_done, $6), attempts = 0,
         repeated = repeated + $9, differing = differing + $10, warned = warned + $11,
         cleaned = cleaned + $12,
         not_offered = (
           select coalesce(jsonb_object_agg(language, questions), '{}')
           from (
             select key as language, sum(value::int) as questions
             from (select * from jsonb_each_text(not_offered)
                   union all select * from jsonb_each_text($8)) counted
             group by key) summed)
     where id = $1 and state = any ($7)`,
    [
      importId,
      imported - lost.imported,
      updated - lost.updated,
      duplicates + lost.imported + lost.updated,
      batch.bad.length,
      batch.bytesRead ?? batch.endByte,
      READING,
      JSON.stringify(done.notOffered),
      done.repeated,
      done.differing,
      done.warned,
      done.cleaned,
    ],
  );
  if (!isReading) throw new ImportEnded();
}
