import { expect, test } from 'vitest';
import { PackedTexts } from './packed-texts.ts';

test('texts are read back as they were packed, also when the buffer had to grow', () => {
  const texts = ['', 'a', 'Ål 👩‍🏫 é', 'ø'.repeat(200_000), '👩'.repeat(300_000), 'last'];
  const packed = new PackedTexts();
  for (const text of texts) packed.push(text);
  expect([...packed]).toEqual(texts);
  expect(packed.at(2)).toBe(texts[2]);
  expect(packed.bytes.toString('utf8')).toBe(texts.join(''));
  expect(() => packed.at(texts.length)).toThrow(RangeError);
});
