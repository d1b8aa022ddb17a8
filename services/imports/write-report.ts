import { stringify } from 'csv-stringify/sync';
import type { Database } from '#database/pool.ts';
import { guardCell } from './csv-format.ts';
import { readWholeReport, type ReportedRow } from './read-imports.ts';
import { ROW_FAULTS } from './row-faults.ts';

const HEADER = ['row', 'outcome', 'field', 'reason', 'explanation', 'question_id'];

/** The report of an import as CSV, a part at a time: a line for each fault of each row. */
export async function* writeReport(db: Database, importId: string): AsyncGenerator<string> {
  yield stringify([HEADER]);
  for await (const rows of readWholeReport(db, importId)) yield stringify(rows.flatMap(toLines));
}

function toLines({ row, outcome, faults, question_id }: ReportedRow): (string | number | null)[][] {
  if (faults.length === 0) return [[row, outcome, '', '', '', question_id]];
  return faults.map(({ field, reason }) => [
    row,
    outcome,
    // Field names come from the file: someone may have made one up.
    guardCell(field),
    reason,
    ROW_FAULTS[reason],
    question_id,
  ]);
}
