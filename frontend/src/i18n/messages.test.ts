import { expect, test } from 'vitest';
import table from '../../../docs/messages.md?raw';
import adminEn from './admin/en.ts';
import adminNo from './admin/no.ts';
import en from './en.json';
import learnerEn from './learner/en.ts';
import learnerNo from './learner/no.ts';
import no from './no.json';
import purchaseEn from './purchase/en.ts';
import purchaseNo from './purchase/no.ts';

/** `| Failed to start quiz: `<status text>` | `quiz.failed.start` | … |` */
const ROW = /^\| (?<specified>[^|]+) \| `(?<key>[\w.:]+)` \|/gmu;

// A key of another namespace begins with its name: `admin:users.none`.
const norwegian = { ...no, learner: learnerNo, admin: adminNo, purchase: purchaseNo };
const english = { ...en, learner: learnerEn, admin: adminEn, purchase: purchaseEn };

function textOf(locale: object, key: string): unknown {
  let node: unknown = locale;
  for (const part of key.split(/[.:]/))
    node = (node as Record<string, unknown> | undefined)?.[part];
  return node;
}

const rows = Array.from(table.matchAll(ROW), ({ groups }) => ({
  key: groups?.key ?? '',
  // Up to what is filled in.
  words: groups?.specified?.split('`')[0]?.trim().toLowerCase() ?? '',
}));

test('the table lists all of them', () => {
  expect(rows.length).toBeGreaterThanOrEqual(32);
});

test.each(rows)('$key is there in both languages, in English as specified', ({ key, words }) => {
  expect(textOf(norwegian, key)).toEqual(expect.any(String));
  const text = String(textOf(english, key));
  expect(text.toLowerCase().startsWith(words), text).toBe(true);
});
