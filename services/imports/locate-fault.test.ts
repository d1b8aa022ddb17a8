import { expect, test } from 'vitest';
import { locateFault } from './locate-fault.ts';

const locate = (text: string, byte: number, size: number) =>
  locateFault(
    (async function* () {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })(),
    byte,
  );

test.each([1, 3, 1_000])(
  'a byte is found by line, column in characters and what stands around it, in pieces of %i',
  async (size) => {
    const text = '[\n {"spørsmål": "å"},\n {"a" 1}\n]';
    const byte = Buffer.byteLength(text.slice(0, text.indexOf(' 1}') + 1));
    expect(await locate(text, byte, size)).toEqual({
      line: 3,
      column: 7,
      excerpt: '[ {"spørsmål": "å"}, {"a" 1} ]',
    });
    expect(await locate('', 0, size)).toEqual({ line: 1, column: 1, excerpt: null });
  },
);

test('the excerpt of a long line is short, and does not cut characters', async () => {
  const text = `[${'ø'.repeat(3_000_000)}x`;
  const byte = Buffer.byteLength(text) - 1;
  const { line, column, excerpt } = await locate(text, byte, 262_144);
  expect([line, column, excerpt]).toEqual([1, null, `${'ø'.repeat(30)}x`]);
});
