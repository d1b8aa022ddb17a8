import { expect, test } from 'vitest';
import table from '../../../docs/messages.md?raw';
import en from './en.json';
import no from './no.json';

/** `| Failed to start quiz: `<status text>` | `quiz.failed.start` | … |` */
const ROW = /^\| (?<specified>[^|]+) \| `(?<key>[\w.]+)` \|/gmu;

function textOf(locale: object, key: string): unknown {
  let node: unknown = locale;
  for (const part of key.split('.')) node = (node as Record<string, unknown> | undefined)?.[part];
  return node;
}

const rows = Array.from(table.matchAll(ROW), ({ groups }) => ({
  key: groups?.key ?? '',
  // Up to what is filled in.
  words: groups?.specified?.split('`')[0]?.trim().toLowerCase() ?? '',
}));

test('the table lists all of them', () => {
  expect(rows.length).toBeGreaterThanOrEqual(23);
});

test.each(rows)('$key is there in both languages, in English as specified', ({ key, words }) => {
  expect(textOf(no, key)).toEqual(expect.any(String));
  const english = textOf(en, key);
  expect(String(english).toLowerCase().startsWith(words), String(english)).toBe(true);
});
