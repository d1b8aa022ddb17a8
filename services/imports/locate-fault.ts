import type { Refusal } from './file-rows.ts';

/** Bytes of the excerpt before and after the fault. */
const BEFORE = 60;
const AFTER = 40;
const LINE_FEED = 0x0a;
/** A longer line is not decoded to count its characters. */
const MAX_LINE_BYTES = 1024 * 1024;

/**
 * Finds the line and column of a byte, as an editor counts them, and what stands around it.
 *
 * @param pieces the file from its start
 */
export async function locateFault(
  pieces: AsyncIterable<Buffer>,
  byte: number,
): Promise<Pick<Refusal, 'line' | 'column' | 'excerpt'>> {
  let start = 0;
  let line = 1;
  let lineStart = 0;
  /** The end of what was read: the excerpt, and the line up to the fault. */
  let tail = Buffer.alloc(0);
  for await (const piece of pieces) {
    const end = Math.min(piece.length, byte - start);
    for (
      let at = piece.indexOf(LINE_FEED);
      at !== -1 && at < end;
      at = piece.indexOf(LINE_FEED, at + 1)
    ) {
      line += 1;
      lineStart = start + at + 1;
    }
    tail = Buffer.concat([tail, piece]).subarray(-(MAX_LINE_BYTES + piece.length));
    start += piece.length;
    if (start >= byte + AFTER) break;
  }
  const tailStart = start - tail.length;
  const before = tail.subarray(Math.max(0, lineStart - tailStart), Math.max(0, byte - tailStart));
  const isWhole = lineStart >= tailStart;
  const excerpt = tail
    .subarray(Math.max(0, byte - tailStart - BEFORE), byte - tailStart + AFTER)
    .toString('utf8')
    // A character that was cut at an end.
    .replaceAll(/^\uFFFD+|\uFFFD+$/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('\0', '\uFFFD')
    .trim();
  return {
    line,
    column: isWhole ? Array.from(before.toString('utf8')).length + 1 : null,
    excerpt: excerpt || null,
  };
}
