import { describe, expect, test } from 'vitest';
import { cleanTexts } from './clean-row.ts';

const clean = (question: string) => {
  const { row, remarks } = cleanTexts({ question });
  const reasons = remarks.map(({ reason, cleaned }) => `${reason}${cleaned ? ', cleaned' : ''}`);
  return [(row as { question: string }).question, ...reasons];
};

describe('a text of an imported row', () => {
  test.each([
    ['sÃ¸knad', 'søknad', 'mojibake, cleaned'],
    ['donâ€™t', 'don’t', 'mojibake, cleaned'],
    ['BlÃ¥ og blå', 'BlÃ¥ og blå', 'mojibake'],
    ['\uFFFD', '\uFFFD', 'mojibake'],
    ['<p>Hva er <i>loven</i>?</p>', 'Hva er loven?', 'markup, cleaned'],
    ['a<br/>b', 'a b', 'markup, cleaned'],
    ['&oslash;l &amp; &#229;l&#x41;', 'øl & ålA', 'markup, cleaned'],
    ['CO<sub>2</sub>', 'CO<sub>2</sub>', 'markup'],
    ['\uFEFFa\u200Bb\u00ADc\u0007', 'abc', 'invisible, cleaned'],
  ])('%j becomes %j: %s', (text, expected, reason) => {
    expect(clean(text)).toEqual([expected, reason]);
  });

  test.each([
    '2 < 3 > 1',
    'R&D; A & B',
    'Ål, Ærlig, Østfold, São Tomé, â, Â',
    'می‌خواهم',
    '👨‍👩‍👧',
    'a\u00A0b\tc\nd',
    '“Grunnloven” – 17. mai',
  ])('%j stays as it is', (text) => {
    expect(clean(text)).toEqual([text]);
  });

  test('is cleaned in every option, and in the area that names the option', () => {
    const shape = '1,1 2,2 3,1';
    const given = {
      answer: 'a',
      incorrect: ['b\u200B', 'c'],
      areas: [
        { name: 'a', shape },
        { name: 'b\u200B', shape },
      ],
    };
    const before = structuredClone(given);
    const { row, remarks } = cleanTexts(given);
    expect(row).toEqual({
      answer: 'a',
      incorrect: ['b', 'c'],
      areas: [
        { name: 'a', shape },
        { name: 'b', shape },
      ],
    });
    expect(remarks.map(({ field }) => field)).toEqual(['incorrect.0']);
    expect(given).toEqual(before);
  });

  test('of a row without doubt is not copied', () => {
    const row = { question: 'Hva er Stortinget?', incorrect: ['a'] };
    expect(cleanTexts(row)).toEqual({ row, remarks: [] });
    expect(cleanTexts(row).row).toBe(row);
  });
});
