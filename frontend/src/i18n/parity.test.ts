import { describe, expect, test } from 'vitest';
import adminEn from './admin/en.ts';
import adminNo from './admin/no.ts';
import en from './en.json';
import learnerEn from './learner/en.ts';
import learnerNo from './learner/no.ts';
import no from './no.json';
import purchaseEn from './purchase/en.ts';
import purchaseNo from './purchase/no.ts';

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
  { namespace: 'admin', norwegian: flatten(adminNo), english: flatten(adminEn) },
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
