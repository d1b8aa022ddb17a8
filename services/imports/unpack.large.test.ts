import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { RefusedFile } from './file-rows.ts';
import { gunzip, skipBytes } from './unpack.ts';

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const textOf = async (pieces: AsyncIterable<Buffer>) =>
  Buffer.concat(await Array.fromAsync(pieces)).toString();

/** Unpacks a file; returns why it is refused, and how much was unpacked by then. */
async function refusalOf(packed: AsyncIterable<Buffer>): Promise<[unknown, number]> {
  let size = 0;
  try {
    for await (const piece of gunzip(packed)) size += piece.length;
    return ['taken', size];
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error;
    return [error.refusal.reason, size];
  }
}

describe('a file that is packed with gzip', () => {
  test('is unpacked in pieces of any size, from any byte on', async () => {
    const packed = Buffer.concat([gzipSync('[{"a":1},'), gzipSync('{"b":2}]')]);
    for (const size of [1, 7, 1_000]) {
      expect(await textOf(gunzip(inPieces(packed, size)))).toBe('[{"a":1},{"b":2}]');
      expect(await textOf(skipBytes(gunzip(inPieces(packed, size)), 11))).toBe(
        'b":2}]'.slice(0, 6),
      );
    }
  });

  test('tells how much of it was read', async () => {
    const packed = gzipSync(randomBytes(200_000).toString('hex'));
    let read = 0;
    for await (const _ of gunzip(inPieces(packed, 1_000), (bytes) => (read = bytes))) continue;
    expect(read).toBe(packed.length);
  });

  test.each([
    ['that is cut', (packed: Buffer) => packed.subarray(0, -9)],
    ['that is damaged', (packed: Buffer) => Buffer.from(packed).fill(0xff, 30, 40)],
  ])('is refused %s', async (_name, change) => {
    const packed = gzipSync(randomBytes(1_000).toString('hex'));
    expect((await refusalOf(inPieces(change(packed), 100)))[0]).toBe('not_gzip');
  });

  test('is refused when it becomes 200 times as large, before that is unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(100 * 1024 ** 2));
    const [reason, size] = await refusalOf(inPieces(packed, 64 * 1024));
    expect(reason).toBe('unpacked_ratio');
    expect(size).toBeLessThan(20 * 1024 ** 2);
  });

  test('is refused when it becomes larger than 1 GB', async () => {
    // A ratio below 200.
    const part = gzipSync(Buffer.concat([randomBytes(8_000), Buffer.alloc(1024 ** 2)]));
    const endless = (async function* () {
      for (;;) yield part;
    })();
    const [reason, size] = await refusalOf(endless);
    expect(reason).toBe('unpacked_too_large');
    expect(size).toBeLessThanOrEqual(1024 ** 3);
  });

  test('passes on an error of its source', async () => {
    const broken = (async function* () {
      yield gzipSync('a').subarray(0, 12);
      throw new Error('cancelled');
    })();
    await expect(refusalOf(broken)).rejects.toThrow('cancelled');
  });
});
