import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { RefusedFile } from './file-rows.ts';

// Packed files. The unpacked bytes are never in memory as a whole, and what would become too much is cut while it is
// being unpacked.

/** Of a file that is packed with gzip, unpacked. */
const MAX_UNPACKED_BYTES = 1024 ** 3;
/** Text that people write is packed to a third or a tenth; gzip can pack a thousand equal bytes into one. */
const MAX_UNPACKED_RATIO = 200;
/** A small file may be as repetitive as it is. */
const RATIO_APPLIES_FROM = 1024 ** 2;

const GZIP = Buffer.from([0x1f, 0x8b]);

export const isGzip = (head: Buffer) => head.subarray(0, GZIP.length).equals(GZIP);

/**
 * Unpacks a gzip file.
 *
 * @param onRead is told the number of packed bytes that were read
 * @throws RefusedFile `not_gzip`, `unpacked_too_large`, `unpacked_ratio`
 */
export async function* gunzip(
  packed: AsyncIterable<Buffer>,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer> {
  let read = 0;
  let unpacked = 0;
  const counted = async function* () {
    for await (const piece of packed) {
      read += piece.length;
      onRead(read);
      yield piece;
    }
  };
  const source = Readable.from(counted(), { objectMode: false });
  const unzip = createGunzip({ chunkSize: 256 * 1024 });
  let failure: unknown = null;
  source.on('error', (error) => {
    failure = error;
    unzip.destroy(error);
  });
  try {
    for await (const piece of source.pipe(unzip) as AsyncIterable<Buffer>) {
      unpacked += piece.length;
      if (unpacked > MAX_UNPACKED_BYTES) throw new RefusedFile('unpacked_too_large');
      if (unpacked > RATIO_APPLIES_FROM && unpacked > MAX_UNPACKED_RATIO * read) {
        throw new RefusedFile('unpacked_ratio');
      }
      yield piece;
    }
  } catch (error) {
    if (failure !== null) throw failure;
    const { code } = error as { code?: string };
    throw code?.startsWith('Z_') ? new RefusedFile('not_gzip') : error;
  } finally {
    source.destroy();
    unzip.destroy();
  }
}

/** The bytes from one on. */
export async function* skipBytes(
  pieces: AsyncIterable<Buffer>,
  bytes: number,
): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const piece of pieces) {
    if (left >= piece.length) left -= piece.length;
    else {
      yield left > 0 ? piece.subarray(left) : piece;
      left = 0;
    }
  }
}
