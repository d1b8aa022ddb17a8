import { isUtf8 } from 'node:buffer';
import {
  type FileRow,
  LineCounter,
  MAX_ROW_BYTES,
  type ReadFrom,
  RefusedFile,
} from './file-rows.ts';

/** Cut and parsed before the first of its rows is used: a row that lives longer is copied by the garbage collector. */
const BYTES_AT_A_TIME = 16 * 1024;

/**
 * Reads the rows of a JSON file in order, several at a time.
 *
 * @param pieces the file's bytes from `from.byte` on
 * @throws RefusedFile when the file is not a JSON array
 */
export async function* readJsonRows(
  pieces: AsyncIterable<Buffer>,
  from: ReadFrom,
): AsyncGenerator<FileRow[]> {
  const cutter = new JsonRowCutter(from.byte, from.line);
  let rows = from.rows;
  for await (const piece of pieces) {
    for (let first = 0; first < piece.length; first += BYTES_AT_A_TIME) {
      yield cutter.push(piece.subarray(first, first + BYTES_AT_A_TIME)).map((cut) => {
        rows += 1;
        return parse(cut, rows);
      });
    }
  }
  cutter.finish();
}

/** One element of the array, as bytes. */
export interface CutRow {
  /** Where it begins in the file. */
  start: number;
  /** The lines of `start` and `end`. */
  line: number;
  endLine: number;
  /** The byte behind it, where reading can resume. */
  end: number;
  /** Null when the row has a fault. */
  bytes: Buffer | null;
  fault: 'too_large' | 'too_deep' | null;
}

function parse({ start, bytes, fault, ...place }: CutRow, row: number): FileRow {
  if (fault) return { ...place, fault };
  if (!bytes) return { ...place, fault: 'not_utf8' };
  // What is not UTF-8 becomes U+FFFD, by which it can be found.
  const text = bytes.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return isUtf8(bytes) ? { ...place, value } : { ...place, fault: 'not_utf8', value };
  } catch (error) {
    if (!isUtf8(bytes)) return { ...place, fault: 'not_utf8' };
    throw new RefusedFile('not_json', { row, byte: start + faultyByte(text, error) });
  }
}

/** The byte in the row at which the parser failed, from its message. */
function faultyByte(text: string, error: unknown): number {
  const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
  return Buffer.byteLength(text.slice(0, Number(position ?? 0)));
}

/** A question has two levels. Deeper nesting would only burden the parser. */
const MAX_ROW_DEPTH = 16;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** A value begins with one of these. */
const FIRST_BYTES = new Set(Buffer.from('{["-0123456789tfn'));
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The state of the cutter between two bytes. */
type Place = 'start' | 'first' | 'next' | 'row' | 'after' | 'end';

/**
 * Cuts a JSON array of any size into its elements, byte by byte. Keeps one row in memory. Every row says
 * where it ends, so that reading can resume there. Does not parse rows; skips one that is too large or
 * too deep, and reports its fault.
 *
 * `push` and `finish` throw RefusedFile when the bytes are not a JSON array.
 */
export class JsonRowCutter {
  #place: Place;
  /** The position of the next byte. */
  #position: number;
  #start = 0;
  #startLine = 1;
  readonly #lines: LineCounter;
  #parts: Buffer[] = [];
  #size = 0;
  #depth = 0;
  #isScalar = false;
  #inString = false;
  #escaped = false;
  #fault: CutRow['fault'] = null;

  /**
   * @param from where the last row of an earlier reading ended; 0 at the beginning of the file
   * @param line the line of that byte
   */
  constructor(from = 0, line = 1) {
    this.#position = from;
    this.#lines = new LineCounter({ byte: from, line });
    this.#place = from === 0 ? 'start' : 'after';
  }

  push(chunk: Buffer): CutRow[] {
    const rows: CutRow[] = [];
    let at = 0;
    this.#lines.add(chunk);
    while (at < chunk.length) {
      if (this.#place === 'row') {
        const from = at;
        at = this.#scanRow(chunk, at);
        const ended = this.#place !== ('row' as Place);
        this.#keep(chunk.subarray(from, at));
        this.#position += at - from;
        if (ended) rows.push(this.#take());
      } else {
        this.#between(chunk[at]!);
        // The first byte of a row is scanned again, as part of it.
        if (this.#place !== ('row' as Place)) {
          at += 1;
          this.#position += 1;
        }
      }
    }
    // Lets go of the chunk.
    this.#lines.lineAt(this.#position);
    return rows;
  }

  /** Says that there are no more bytes. */
  finish(): void {
    if (this.#place === 'end') return;
    throw new RefusedFile(this.#place === 'start' ? 'empty' : 'cut_off', { byte: this.#position });
  }

  #between(byte: number): void {
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return;
    switch (this.#place) {
      case 'start':
        if (byte === BYTE_ORDER_MARK[this.#position]) return;
        if (byte !== OPEN_ARRAY) throw this.#refuse('not_an_array');
        this.#place = 'first';
        return;
      case 'first':
        if (byte === CLOSE_ARRAY) this.#place = 'end';
        else this.#begin(byte);
        return;
      case 'next':
        this.#begin(byte);
        return;
      case 'after':
        if (byte === COMMA) this.#place = 'next';
        else if (byte === CLOSE_ARRAY) this.#place = 'end';
        else throw this.#refuse('not_json');
        return;
      case 'row':
      case 'end':
        throw this.#refuse('more_after_the_end');
    }
  }

  #begin(byte: number): void {
    if (!FIRST_BYTES.has(byte)) throw this.#refuse('not_json');
    this.#place = 'row';
    this.#start = this.#position;
    this.#startLine = this.#lines.lineAt(this.#position);
    this.#isScalar = byte !== OPEN_OBJECT && byte !== OPEN_ARRAY && byte !== QUOTE;
  }

  /** Scans on in the row. Returns the position in the chunk where the row or the chunk ends. */
  #scanRow(chunk: Buffer, from: number): number {
    let inString = this.#inString;
    let escaped = this.#escaped;
    let depth = this.#depth;
    let at = from;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          inString = false;
          if (depth === 0) {
            at += 1;
            this.#place = 'after';
            break;
          }
        }
      } else if (byte === QUOTE) {
        inString = true;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        depth += 1;
        if (depth > MAX_ROW_DEPTH) this.#fault ??= 'too_deep';
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (this.#isScalar) {
          this.#place = 'after';
          break;
        }
        depth -= 1;
        if (depth === 0) {
          at += 1;
          this.#place = 'after';
          break;
        }
      } else if (this.#isScalar && byte <= COMMA) {
        // A comma or white space: none of them is part of a number or a name.
        if (byte === COMMA || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
          this.#place = 'after';
          break;
        }
      }
    }
    this.#inString = inString;
    this.#escaped = escaped;
    this.#depth = depth;
    return at;
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > MAX_ROW_BYTES) this.#fault ??= 'too_large';
    if (this.#fault) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #take(): CutRow {
    const fault = this.#fault;
    const bytes = fault
      ? null
      : this.#parts.length === 1
        ? this.#parts[0]!
        : Buffer.concat(this.#parts);
    const row = {
      start: this.#start,
      end: this.#position,
      line: this.#startLine,
      endLine: this.#lines.lineAt(this.#position),
      bytes,
      fault,
    };
    this.#parts = [];
    this.#size = 0;
    this.#depth = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#fault = null;
    return row;
  }

  #refuse(reason: RefusedFile['refusal']['reason']): RefusedFile {
    return new RefusedFile(reason, { byte: this.#position });
  }
}
