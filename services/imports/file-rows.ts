import type { RowFaultReason } from '#questions/question-row.ts';

/** A row as it stands in the file, unchecked, or why it cannot be read. */
export type FileRow = { end: number } & (
  | { value: unknown; fault?: never }
  | { fault: RowFaultReason }
);

/** Where reading begins: at the start of the file, or after a row that was read before. */
export interface ReadFrom {
  byte: number;
  /** Rows before it. */
  rows: number;
}

/**
 * Why a whole file is refused.
 *
 * - `empty`: there is nothing in it
 * - `not_an_array`: it does not begin with `[`
 * - `not_json`: something in it is not JSON
 * - `cut_off`: it ends in the middle
 * - `more_after_the_end`: something follows the array
 * - `interrupted`: the sender went away
 * - `csv_header`: the first line does not name the columns that are needed
 * - `not_csv`: a quote is not closed, or a line has more cells than the header
 */
type RefusalReason =
  | 'empty'
  | 'not_an_array'
  | 'not_json'
  | 'cut_off'
  | 'more_after_the_end'
  | 'interrupted'
  | 'csv_header'
  | 'not_csv';

export interface Refusal {
  reason: RefusalReason;
  /** Counted from 1. */
  row: number | null;
  /** Counted from 0. */
  byte: number | null;
}

/** The file cannot be read on. Nothing of it goes into the bank. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
  readonly refusal: Refusal;

  constructor(reason: RefusalReason, at: Partial<Omit<Refusal, 'reason'>> = {}) {
    super(reason);
    this.refusal = { reason, row: at.row ?? null, byte: at.byte ?? null };
  }
}
