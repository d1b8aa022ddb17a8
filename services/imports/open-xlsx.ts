import { Readable } from 'node:stream';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { RefusedFile } from './file-rows.ts';

// The parts of an .xlsx file: a zip file of XML files. Only the parts that are needed are unpacked, each in a stream.

export const MAX_XLSX_BYTES = 50 * 1024 ** 2;
/** Of the parts that are read, together. */
const MAX_XLSX_UNPACKED_BYTES = 500 * 1024 ** 2;
const MAX_ENTRIES = 10_000;
/** A cell has at most 32,767 characters. A text without end would be collected in memory. */
const MAX_TEXT_BYTES = 4 * 1024 ** 2;

const ZIP = Buffer.from('PK\u0003\u0004');
/** An OLE file: an .xls file of old, or a packet around an encrypted .xlsx file. */
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

export const isZip = (head: Buffer) => head.subarray(0, ZIP.length).equals(ZIP);
export const isOle = (head: Buffer) => head.subarray(0, OLE.length).equals(OLE);

/** A file with random access. */
type OpenFile = (byte: number) => AsyncIterable<Buffer>;

/**
 * The reason why an OLE file is refused.
 *
 * @param file from its start
 */
export async function refusalOfOle(file: AsyncIterable<Buffer>): Promise<RefusedFile> {
  let tail = Buffer.alloc(0);
  let size = 0;
  for await (const piece of file) {
    tail = Buffer.concat([tail.subarray(-ENCRYPTED.length), piece]);
    if (tail.includes(ENCRYPTED)) return new RefusedFile('xlsx_encrypted');
    size += piece.length;
    if (size > MAX_XLSX_BYTES) break;
  }
  return new RefusedFile('xls');
}

class StoredFileReader extends RandomAccessReader {
  readonly #open: OpenFile;

  constructor(open: OpenFile) {
    super();
    this.#open = open;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(range(this.#open(start), end - start), { objectMode: false });
  }
}

async function* range(pieces: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let left = length;
  if (left === 0) return;
  for await (const piece of pieces) {
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

/** An open .xlsx file. */
export class XlsxParts {
  readonly #zip: ZipFile;
  readonly #entries: Map<string, Entry>;
  #unpacked = 0;

  private constructor(zip: ZipFile, entries: Map<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /**
   * Reads the list of parts.
   *
   * @param open the file, all of which has arrived
   * @throws RefusedFile `xlsx_too_large`, `xlsx_encrypted`, `not_xlsx`
   */
  static async open(open: OpenFile, size: number): Promise<XlsxParts> {
    if (size > MAX_XLSX_BYTES) throw new RefusedFile('xlsx_too_large');
    return refusing(async () => {
      const zip = await fromRandomAccessReaderPromise(new StoredFileReader(open), size, {
        autoClose: false,
        validateEntrySizes: true,
      });
      if (zip.entryCount > MAX_ENTRIES) throw new RefusedFile('xlsx_too_large');
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (entry.isEncrypted()) throw new RefusedFile('xlsx_encrypted');
        entries.set(entry.fileName, entry);
      }
      return new XlsxParts(zip, entries);
    });
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Unpacks a part.
   *
   * @throws RefusedFile `not_xlsx` when it is missing or damaged; `xlsx_too_large`
   */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name);
    if (!entry) throw new RefusedFile('not_xlsx');
    const stream = await refusing(() => this.#zip.openReadStreamPromise(entry));
    try {
      for await (const piece of stream as AsyncIterable<Buffer>) {
        this.#unpacked += piece.length;
        if (this.#unpacked > MAX_XLSX_UNPACKED_BYTES) throw new RefusedFile('xlsx_too_large');
        yield piece;
      }
    } catch (error) {
      throw asRefusal(error);
    } finally {
      stream.destroy();
    }
  }

  /** Lets a part be read once more, without counting it again. */
  forget(bytes: number): void {
    this.#unpacked -= bytes;
  }
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asRefusal(error);
  }
}

/** What yauzl and zlib throw says that the file is damaged; errors of the database have a code of their own kind. */
function asRefusal(error: unknown): unknown {
  if (error instanceof RefusedFile) return error;
  const { code, name, message = '' } = error as { code?: string; name?: string; message?: string };
  const isOfFile =
    code?.startsWith('Z_') ||
    (code === undefined &&
      name === 'Error' &&
      /central directory|zip|signature|compress|entry|header|encrypt|bytes in the stream|filename|offset|EOF|CRC/i.test(
        message,
      ));
  return isOfFile ? new RefusedFile('not_xlsx') : error;
}

interface XmlHandlers {
  open?: (name: string, attributes: Record<string, string>) => void;
  /** @param position behind the tag, in characters of the part */
  close?: (name: string, position: number) => void;
  text?: (text: string) => void;
}

/**
 * Parses an XML part; names are without a namespace's prefix. It yields after each piece, when the handlers were
 * called for what the piece had.
 *
 * @throws RefusedFile `not_xlsx`, `xlsx_too_large`
 */
export async function* parseXml(
  pieces: AsyncIterable<Buffer>,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let silent = 0;
  parser.on('error', () => {
    throw new RefusedFile('not_xlsx');
  });
  // Entities could be defined in it.
  parser.on('doctype', () => {
    throw new RefusedFile('not_xlsx');
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    silent = 0;
    handlers.open?.(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    silent = 0;
    handlers.close?.(localName(name), parser.position);
  });
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('cdata', (text) => handlers.text?.(text));
  for await (const piece of pieces) {
    silent += piece.length;
    if (silent > MAX_TEXT_BYTES) throw new RefusedFile('xlsx_too_large');
    parser.write(decode(decoder, piece));
    yield;
  }
  parser.close();
}

function decode(decoder: InstanceType<typeof TextDecoder>, piece: Buffer): string {
  try {
    return decoder.decode(piece, { stream: true });
  } catch {
    throw new RefusedFile('not_xlsx');
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);
