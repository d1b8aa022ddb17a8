import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CHUNK_BYTES } from '@proveklar/contract/limits.ts';
import { checksumOf } from './upload.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

test('the checksum of a file is the digest of the digests of its chunks', async () => {
  const bytes = Buffer.alloc(CHUNK_BYTES + 1_000, 'abc');
  const chunks = [bytes.subarray(0, CHUNK_BYTES), bytes.subarray(CHUNK_BYTES)];
  const file = new Blob([bytes]);
  expect(await checksumOf(file, bytes.length)).toBe(
    sha256(Buffer.concat(chunks.map(sha256))).toString('hex'),
  );
  expect(await checksumOf(file, CHUNK_BYTES)).toBe(sha256(sha256(chunks[0]!)).toString('hex'));
  expect(await checksumOf(file, 0)).toBeUndefined();
});
