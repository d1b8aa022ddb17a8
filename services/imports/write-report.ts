import { stringify } from 'csv-stringify/sync';
import type { Database } from '#database/pool.ts';
import { guardCell } from '#questions/csv-format.ts';
import { readWholeReport, type ReportedRow } from './read-imports.ts';
import { ROW_FAULTS, ROW_WARNINGS } from '#questions/question-row.ts';

type Cell = string | number | null;
const HEADER = ['row', 'outcome', 'field', 'reason', 'explanation', 'question_id'];

/** The report of an import as CSV, a part at a time: a line for each fault or warning of each row. */
export async function* writeReport(db: Database, importId: string): AsyncGenerator<string> {
  yield stringify([HEADER]);
  for await (const rows of readWholeReport(db, importId)) yield stringify(rows.flatMap(toLines));
}

function toLines({ row, outcome, faults, warnings, question_id }: ReportedRow): Cell[][] {
  const told = [
    ...faults.map(({ field, reason }) => [field, reason, ROW_FAULTS[reason]] as const),
    ...warnings.map(
      ({ field, reason, value }) => [field, reason, `${value} ${ROW_WARNINGS[reason]}`] as const,
    ),
  ];
  if (told.length === 0) return [[row, outcome, '', '', '', question_id]];
  return told.map(([field, reason, explanation]) => [
    row,
    outcome,
    // Field names come from the file: someone may have made one up.
    guardCell(field),
    reason,
    explanation,
    question_id,
  ]);
}
