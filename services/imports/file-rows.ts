import type { RefusalReason } from '@proveklar/contract/imports.ts';
import type { RowFaultReason } from '@proveklar/contract/question-row.ts';

/** A picture of 2 MB, and a quarter more for the rest and what JSON and CSV escape. */
export const MAX_ROW_BYTES = 2.5 * 1024 * 1024;

/** What a cell of a workbook is, if it is not text. */
export type CellKind = 'number' | 'date' | 'percent' | 'boolean';

/** The kinds of a row's cells by their place, without those that are text. */
export type CellKinds = Partial<Record<number, CellKind>>;

/** A row of the file, not validated yet, or why it cannot be read. */
export type FileRow = {
  /** The byte behind the row, where reading can resume. */
  end: number;
  /** The line where the row begins, from 1; NaN when it is unknown. */
  line: number;
  /** The line of `end`. */
  endLine: number;
  /** The row as it stands in the file: the cells of a table. Without it, `value`. */
  cells?: readonly string[];
  /** Of a workbook; undefined when all cells are text. */
  kinds?: CellKinds | undefined;
  /** Bytes of texts that stand elsewhere in the file, and may be those of many rows. */
  sharedBytes?: number;
} & (
  | { value: unknown; fault?: never }
  | {
      fault: RowFaultReason;
      /** What could be read of it. */
      value?: unknown;
    }
);

/** Where reading begins: at the start of the file, or behind the last row that was read before. */
export interface ReadFrom {
  byte: number;
  /** Rows before it. */
  rows: number;
  /** The line of `byte`, from 1; NaN when it is unknown. */
  line: number;
}

export const FROM_START: ReadFrom = { byte: 0, rows: 0, line: 1 };

export interface Refusal {
  reason: RefusalReason;
  /** Counted from 1. */
  row: number | null;
  /** Counted from 0. */
  byte: number | null;
  /** The place of `byte` as an editor counts, both from 1. */
  line?: number | null;
  column?: number | null;
  /** What stands around it. */
  excerpt?: string | null;
  /** Required columns that the first line lacks. */
  missing?: string[];
  /** Headings that are not those of a field, or that repeat one. */
  unknown?: string[];
}

/** The file cannot be read to its end. None of it goes into the question bank. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
  readonly refusal: Refusal;

  constructor(reason: RefusalReason, at: Partial<Omit<Refusal, 'reason'>> = {}) {
    super(reason);
    this.refusal = { ...at, reason, row: at.row ?? null, byte: at.byte ?? null };
  }
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Counts the lines of a file that passes by in pieces. Holds the pieces from the last byte that was asked for, as a
 * parser reads ahead of the row that it returns.
 */
export class LineCounter {
  #pieces: Buffer[] = [];
  /** Where the first piece begins, and the byte that was asked for last. */
  #start: number;
  #at: number;
  #line: number;
  /** The next line feed in the first piece; -1 when it has none. */
  #next = -1;

  constructor(from: Pick<ReadFrom, 'byte' | 'line'>) {
    this.#start = from.byte;
    this.#at = from.byte;
    this.#line = from.line;
  }

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    if (this.#pieces.length === 1) this.#next = piece.indexOf(LINE_FEED, this.#at - this.#start);
  }

  /** The line of a byte that is not before the one that was asked for last. */
  lineAt(byte: number): number {
    for (;;) {
      const piece = this.#pieces[0];
      if (!piece) break;
      const end = Math.min(byte - this.#start, piece.length);
      // The next line feed is remembered: a file of one line would be searched again for every row.
      while (this.#next !== -1 && this.#next < end) {
        this.#line += 1;
        this.#next = piece.indexOf(LINE_FEED, this.#next + 1);
      }
      if (byte - this.#start < piece.length) break;
      this.#start += piece.length;
      this.#pieces.shift();
      this.#next = this.#pieces[0]?.indexOf(LINE_FEED) ?? -1;
    }
    this.#at = byte;
    return this.#line;
  }

  /** The line of the first byte, from this one on, that is not part of a line end. */
  lineOfContentAt(byte: number): number {
    let at = byte;
    let offset = byte - this.#start;
    for (const piece of this.#pieces) {
      for (; offset < piece.length; offset += 1, at += 1) {
        if (piece[offset] !== LINE_FEED && piece[offset] !== CARRIAGE_RETURN)
          return this.lineAt(at);
      }
      offset -= piece.length;
    }
    return this.lineAt(at);
  }
}
