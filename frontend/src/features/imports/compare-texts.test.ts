import { expect, test } from 'vitest';
import { compareTexts, type TextPart } from './compare-texts.ts';

const marked = (parts: TextPart[]) =>
  parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');

test.each([
  {
    texts: ['Når ble loven vedtatt?', 'I hvilket år ble loven vedtatt?'],
    expected: ['[Når ]ble loven vedtatt?', '[I hvilket år ]ble loven vedtatt?'],
  },
  { texts: ['Hva er Nav?', 'hva er nav?'], expected: ['Hva er Nav?', 'hva er nav?'] },
  { texts: ['Hva?', 'Hva?'], expected: ['Hva?', 'Hva?'] },
])('$texts', ({ texts: [one = '', other = ''], expected }) => {
  const { first, second } = compareTexts(one, other);
  expect([marked(first), marked(second)]).toEqual(expected);
});
