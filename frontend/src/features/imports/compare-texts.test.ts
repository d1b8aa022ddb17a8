import { expect, test } from 'vitest';
import { compareTexts, type TextPart } from './compare-texts.ts';

const marked = (parts: TextPart[]) =>
  parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');

test.each([
  ['Når ble loven vedtatt?', 'I hvilket år ble loven vedtatt?', '[Når]', '[I hvilket år]'],
  ['Hva er NAV?', 'hva er nav?', '', ''],
])('%s | %s', (before, after, first, second) => {
  const compared = compareTexts(before, after);
  expect(marked(compared.first)).toBe(first ? before.replace(first.slice(1, -1), first) : before);
  expect(marked(compared.second)).toBe(second ? after.replace(second.slice(1, -1), second) : after);
});
