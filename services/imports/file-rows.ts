import type { RefusalReason, RowFaultReason } from '@proveklar/contract/imports.ts';

/** A picture of 2 MB, and a quarter more for the rest and what JSON and CSV escape. */
export const MAX_ROW_BYTES = 2.5 * 1024 * 1024;

/** A row of the file, not validated yet, or why it cannot be read. */
export type FileRow = { end: number } & (
  | { value: unknown; fault?: never }
  | { fault: RowFaultReason }
);

/** Where reading begins: at the start of the file, or behind the last row that was read before. */
export interface ReadFrom {
  byte: number;
  /** Rows before it. */
  rows: number;
}

export interface Refusal {
  reason: RefusalReason;
  /** Counted from 1. */
  row: number | null;
  /** Counted from 0. */
  byte: number | null;
}

/** The file cannot be read to its end. None of it goes into the question bank. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
  readonly refusal: Refusal;

  constructor(reason: RefusalReason, at: Partial<Omit<Refusal, 'reason'>> = {}) {
    super(reason);
    this.refusal = { reason, row: at.row ?? null, byte: at.byte ?? null };
  }
}
