import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { QuestionRow } from '@proveklar/contract/question-row.ts';
import type { Transaction } from '#database/pool.ts';
import { isUniqueViolation } from '#database/sql-state.ts';

// COPY takes two thirds of the time of an insertion from JSON, and either takes all rows or none. So a batch is copied
// in the hope that the bank has none of its rows. PostgreSQL inserts copied rows many at a time only if each random
// default (`uuid`, `draw_key`) is among the copied columns.

/** A valid row, as it is sent to the database. */
export interface BatchRow extends Omit<QuestionRow, 'image' | 'rejected_because'> {
  image_hash?: string;
}

/** The fields of a row in PostgreSQL's text format for COPY, and back. */
interface Format<T> {
  write: (value: T) => string;
  read: (text: string) => T;
}

const NULL = String.raw`\N`;
const ESCAPED = /[\\\n\r\t]/g;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const WRITTEN = /\\[\\nrt]/g;
const UNESCAPED = Object.fromEntries(Object.entries(ESCAPES).map(([raw, text]) => [text, raw]));

const escape = (text: string) => text.replace(ESCAPED, (character) => ESCAPES[character]!);
const unescape = (text: string) => text.replace(WRITTEN, (pair) => UNESCAPED[pair]!);

function orNull<T>({ write, read }: Format<T>): Format<T | undefined> {
  return {
    write: (value) => (value === undefined ? NULL : write(value)),
    read: (text) => (text === NULL ? undefined : read(text)),
  };
}

const TEXT: Format<string> = { write: escape, read: unescape };

const SPECIAL = /["\\\n\r\t]/;
const isPlain = (text: string | null) => text !== null && !SPECIAL.test(text);
const LIST_ITEM = /"((?:[^"\\]|\\.)*)"|NULL/gs;
const LIST: Format<(string | null)[]> = {
  write: (texts) => {
    if (texts.length > 0 && texts.every(isPlain)) return `{"${texts.join('","')}"}`;
    const items = texts.map((text) =>
      text === null ? 'NULL' : `"${text.replace(/["\\]/g, String.raw`\$&`)}"`,
    );
    return escape(`{${items.join(',')}}`);
  },
  read: (list) =>
    Array.from(
      unescape(list).matchAll(LIST_ITEM),
      ([, item]) => item?.replace(/\\(.)/gs, '$1') ?? null,
    ),
};

/** An empty list is as good as none. */
const TEXTS: Format<string[] | undefined> = {
  write: (texts) => (texts ? LIST.write(texts) : '{}'),
  read: (list) => (list === '{}' ? undefined : (LIST.read(list) as string[])),
};

const NUMBER: Format<number> = { write: String, read: Number };

const JSON_VALUE: Format<BatchRow['areas'] & {}> = {
  write: (value) => escape(JSON.stringify(value)),
  read: (text) => JSON.parse(unescape(text)) as BatchRow['areas'] & {},
};

/** All but `uuid`, in the order of the packed fields. */
const FORMATS: { [Field in keyof Omit<BatchRow, 'uuid'>]-?: Format<BatchRow[Field]> } = {
  language: TEXT,
  topic: TEXT,
  question: TEXT,
  answer: TEXT,
  incorrect: LIST as Format<string[]>,
  incorrect_reasons: orNull(LIST),
  explanation: orNull(TEXT),
  source_url: orNull(TEXT),
  source_title: orNull(TEXT),
  checked_at: orNull(TEXT),
  valid_from: orNull(TEXT),
  ages: orNull(NUMBER),
  group: orNull(TEXT),
  excludes: TEXTS,
  tags: TEXTS,
  image_hash: orNull(TEXT),
  image_alt: orNull(TEXT),
  areas: orNull(JSON_VALUE),
};
const FIELDS = Object.entries(FORMATS) as [keyof BatchRow, Format<unknown>][];
const COLUMNS = FIELDS.map(([field]) => (field === 'group' ? 'translation_group' : field));
const COPY = `copy question (id, import_id, draw_key, uuid, ${COLUMNS.join(', ')}) from stdin`;

const TAB = 0x09;
/** Of one UTF-16 unit in UTF-8, at most. */
const BYTES_PER_UNIT = 3;
/** An id, an import's id, a draw key and a uuid, with tabs. */
const MAX_START_BYTES = 128;

/** Enough for most batches, as they are packed and as they are copied. */
const BUFFER_BYTES = 3 * 1024 * 1024;

/** Buffers that the batches of an import use in turn: as garbage, they made the collector run twice as often. */
export class BatchBuffers {
  readonly #spare: Buffer[] = [];

  /** Its content is undefined. */
  take(bytes = BUFFER_BYTES): Buffer {
    if (bytes > BUFFER_BYTES) return Buffer.allocUnsafe(bytes);
    return this.#spare.pop() ?? Buffer.allocUnsafe(BUFFER_BYTES);
  }

  /** Keeps a buffer that nothing reads or writes any more. */
  giveBack(buffer: Buffer): void {
    if (buffer.length === BUFFER_BYTES) this.#spare.push(buffer);
  }
}

/**
 * Valid rows in one buffer, in the format that COPY reads. The rows of a batch live until it is inserted: as objects or
 * strings, each collection of the young generation would copy them, which took a third of a worker's processor time.
 */
export class PackedRows {
  readonly #buffers: BatchBuffers;
  // Each row: its uuid or nothing, then each field after a tab, and the end of a line.
  #buffer: Buffer;
  #size = 0;
  readonly #ends: number[] = [];

  constructor(buffers = new BatchBuffers()) {
    this.#buffers = buffers;
    this.#buffer = buffers.take();
  }

  get length(): number {
    return this.#ends.length;
  }

  push(row: BatchRow): void {
    let text = row.uuid ?? '';
    for (const [field, format] of FIELDS) text += `\t${format.write(row[field])}`;
    text += '\n';
    const needed = this.#size + text.length * BYTES_PER_UNIT;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#size);
      this.#buffers.giveBack(this.#buffer);
      this.#buffer = larger;
    }
    this.#size += this.#buffer.write(text, this.#size);
    this.#ends.push(this.#size);
  }

  /** @throws RangeError for a place outside */
  at(place: number): BatchRow {
    const end = this.#ends[place];
    if (end === undefined) throw new RangeError(`There is no row ${place}`);
    const text = this.#buffer.toString('utf8', this.#ends[place - 1] ?? 0, end - 1);
    const [uuid, ...values] = text.split('\t');
    const row: Partial<Record<keyof BatchRow, unknown>> = {};
    for (const [index, [field, { read }]] of FIELDS.entries()) {
      const value = read(values[index]!);
      if (value !== undefined) row[field] = value;
    }
    if (uuid) row.uuid = uuid;
    return row as BatchRow;
  }

  /** Sends all rows to COPY, as questions with these ids. */
  async copyTo(copying: Writable, ids: readonly number[], importId: string): Promise<void> {
    const copy = this.#buffers.take(this.#size + this.length * MAX_START_BYTES);
    let size = 0;
    let from = 0;
    for (const [place, end] of this.#ends.entries()) {
      const uuid = this.#buffer[from] === TAB ? randomUUID() : '';
      const start = `${ids[place]!}\t${importId}\t${Math.random()}\t${uuid}`;
      size += copy.write(start, size, 'latin1');
      size += this.#buffer.copy(copy, size, from, end);
      from = end;
    }
    copying.end(copy.subarray(0, size));
    await finished(copying);
    // Not after an error: it may still be sent.
    this.#buffers.giveBack(copy);
  }

  /** Lets another batch use the buffer. There are no rows any more. */
  free(): void {
    this.#buffers.giveBack(this.#buffer);
    this.#buffer = Buffer.alloc(0);
    this.#ends.length = 0;
  }
}

/**
 * Copies rows into the question bank.
 *
 * @param ids of the questions that they become
 * @returns false when the bank has one of them, or two are the same: then none is copied
 */
export async function copyRows(
  tx: Transaction,
  { rows, ids, importId }: { rows: PackedRows; ids: readonly number[]; importId: string },
): Promise<boolean> {
  await tx.query('savepoint copy_rows');
  try {
    await rows.copyTo(tx.query(copyFrom(COPY)), ids, importId);
    await tx.query('release savepoint copy_rows');
    return true;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await tx.query('rollback to savepoint copy_rows');
    return false;
  }
}
