import { RefusedFile } from './file-rows.ts';
import { parseXml, type XlsxParts } from './open-xlsx.ts';

// The texts of a workbook: most stand in one part, and cells refer to them by number.

/** Texts of the workbook, which cells refer to by number: bytes, and how many. They are kept in memory. */
const MAX_SHARED_BYTES = 200 * 1024 ** 2;
const MAX_SHARED_STRINGS = 4_000_000;

/** Texts in UTF-8, one after another: objects of a million strings would take several times as much. */
export class SharedStrings {
  readonly #blocks: Buffer[] = [];
  readonly #ends: number[] = [];
  #block = Buffer.alloc(0);
  #used = 0;
  #size = 0;

  add(text: string): void {
    const bytes = Buffer.from(text);
    this.#size += bytes.length;
    if (this.#size > MAX_SHARED_BYTES || this.#ends.length / 2 >= MAX_SHARED_STRINGS) {
      throw new RefusedFile('xlsx_too_large');
    }
    if (this.#used + bytes.length > this.#block.length) {
      this.#block = Buffer.alloc(Math.max(1024 ** 2, bytes.length));
      this.#blocks.push(this.#block);
      this.#used = 0;
    }
    bytes.copy(this.#block, this.#used);
    this.#used += bytes.length;
    this.#ends.push(this.#blocks.length - 1, this.#used);
  }

  get(index: number): string {
    const { block, start, end } = this.#placeOf(index);
    return this.#blocks[block]!.toString('utf8', start, end);
  }

  /** The bytes of a text. */
  sizeOf(index: number): number {
    const { start, end } = this.#placeOf(index);
    return end - start;
  }

  #placeOf(index: number): { block: number; start: number; end: number } {
    const block = Number.isInteger(index) ? this.#ends[index * 2] : undefined;
    if (block === undefined) throw new RefusedFile('not_xlsx');
    const isFirst = index === 0 || this.#ends[index * 2 - 2] !== block;
    return {
      block,
      start: isFirst ? 0 : this.#ends[index * 2 - 1]!,
      end: this.#ends[index * 2 + 1]!,
    };
  }
}

/** Reads the texts that cells refer to by number. */
export async function readSharedStrings(parts: XlsxParts): Promise<SharedStrings> {
  const strings = new SharedStrings();
  if (!parts.has('xl/sharedStrings.xml')) return strings;
  const text = new TextCollector();
  const pieces = parts.read('xl/sharedStrings.xml');
  const reading = parseXml(pieces, {
    open: (name) => text.open(name),
    text: (some) => text.add(some),
    close: (name) => {
      text.close(name);
      if (name === 'si') strings.add(text.take());
    },
  });
  for await (const _ of reading) continue;
  return strings;
}

/** Collects the texts (`t`) of a string with formatting, without phonetic ones (`rPh`). */
export class TextCollector {
  #text = '';
  #isText = false;
  #isPhonetic = false;

  open(name: string): void {
    if (name === 't') this.#isText = true;
    else if (name === 'rPh') this.#isPhonetic = true;
  }

  close(name: string): void {
    if (name === 't') this.#isText = false;
    else if (name === 'rPh') this.#isPhonetic = false;
  }

  add(text: string): void {
    if (this.#isText && !this.#isPhonetic) this.#text += text;
  }

  take(): string {
    const text = unescape(this.#text);
    this.#text = '';
    return text;
  }
}

/** Excel writes characters that XML cannot have as `_x000D_`. */
export const unescape = (text: string) =>
  text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
