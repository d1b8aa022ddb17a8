import { describe, expect, test } from 'vitest';
import table from '../../../docs/messages.md?raw';
import { VERB_FIRST } from '#lib/test-support.ts';
import adminEn from './admin.en.json';
import adminNo from './admin.no.json';
import codesEn from './codes.en.json';
import codesNo from './codes.no.json';
import landingEn from './landing.en.json';
import landingNo from './landing.no.json';
import learnerEn from './learner.en.json';
import learnerNo from './learner.no.json';
import pagesEn from './pages.en.json';
import pagesNo from './pages.no.json';
import purchaseEn from './purchase.en.json';
import purchaseNo from './purchase.no.json';
import en from './translation.en.json';
import no from './translation.no.json';

/** All texts of a locale by their dotted key. */
function flatten(node: object, prefix = ''): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === 'string') texts.set(prefix + key, value);
    else for (const [k, v] of flatten(value as object, `${prefix}${key}.`)) texts.set(k, v);
  }
  return texts;
}

const placeholders = (text = '') => new Set(Array.from(text.matchAll(/{{\s*(\w+)/g), (m) => m[1]));

describe.each([
  { namespace: 'translation', norwegian: flatten(no), english: flatten(en) },
  { namespace: 'pages', norwegian: flatten(pagesNo), english: flatten(pagesEn) },
  { namespace: 'admin', norwegian: flatten(adminNo), english: flatten(adminEn) },
  { namespace: 'codes', norwegian: flatten(codesNo), english: flatten(codesEn) },
  { namespace: 'landing', norwegian: flatten(landingNo), english: flatten(landingEn) },
  { namespace: 'learner', norwegian: flatten(learnerNo), english: flatten(learnerEn) },
  { namespace: 'purchase', norwegian: flatten(purchaseNo), english: flatten(purchaseEn) },
])('$namespace', ({ norwegian, english }) => {
  test('both languages have the same keys', () => {
    expect([...english.keys()].toSorted()).toEqual([...norwegian.keys()].toSorted());
  });

  test('no text is blank', () => {
    const blank = [...norwegian, ...english].filter(([, text]) => text.trim() === '');
    expect(blank).toEqual([]);
  });

  test('both languages fill in the same values', () => {
    for (const [key, text] of norwegian) {
      expect(placeholders(english.get(key)), key).toEqual(placeholders(text));
    }
  });
});

test('a condition in Norwegian begins with "Hvis", not with its verb', () => {
  const texts = [no, pagesNo, adminNo, codesNo, landingNo, learnerNo, purchaseNo];
  const found = texts.flatMap((all) =>
    [...flatten(all)].filter(([, text]) => VERB_FIRST.test(text)),
  );
  expect(found).toEqual([]);
});

describe('the messages of the specification', () => {
  /** `| Failed to start quiz: `<status text>` | `quiz.failed.start` | … |` */
  const ROW = /^\| (?<specified>[^|]+) \| `(?<key>[\w.:]+)` \|/gmu;

  // A key of another namespace begins with its name: `admin:users.none`.
  const norwegian = { ...no, ...pagesNo, learner: learnerNo, admin: adminNo, purchase: purchaseNo };
  const english = { ...en, ...pagesEn, learner: learnerEn, admin: adminEn, purchase: purchaseEn };

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

  test('are all in the table of docs/messages.md', () => {
    expect(rows.length).toBeGreaterThanOrEqual(32);
  });

  test.each(rows)('$key is there in both languages, in English as specified', ({ key, words }) => {
    expect(textOf(norwegian, key)).toEqual(expect.any(String));
    const text = String(textOf(english, key));
    expect(text.toLowerCase().startsWith(words), text).toBe(true);
  });
});
