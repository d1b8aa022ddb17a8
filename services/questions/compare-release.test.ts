import { expect, test } from 'vitest';
import {
  compareRelease,
  keyOf,
  type PresentQuestion,
  type ReleasedQuestion,
  textKeyOf,
} from './compare-release.ts';

const released = (group: string, question: string): ReleasedQuestion => ({
  language: 'no',
  topic: 'Historie',
  question,
  answer: 'Ja',
  incorrect: ['Nei', 'Kanskje'],
  explanation: null,
  group,
  tags: [],
  source_url: null,
  source_title: null,
  checked_at: null,
  incorrect_reasons: null,
  excludes: [],
  valid_from: null,
  ages: null,
  image_hash: null,
  image_alt: null,
  areas: null,
});

const present = (
  id: number,
  group: string,
  question: string,
  state: { is_retired?: boolean; is_edited?: boolean } = {},
): PresentQuestion => ({
  ...released(group, question),
  id,
  is_retired: false,
  is_edited: false,
  ...state,
});

/** Compares with a bank that has these questions, and knows those of the groups `known`. */
function compare(
  questions: readonly ReleasedQuestion[],
  bank: readonly PresentQuestion[],
  known: readonly string[] = [],
) {
  const taken = bank.filter(({ is_retired }) => !is_retired);
  return compareRelease(questions, {
    present: new Map(bank.map((question) => [keyOf(question), question])),
    known: new Map(
      known.map((group) => {
        const one = { group, language: 'no', question_id: null };
        return [keyOf(one), one];
      }),
    ),
    taken: new Map(taken.map((question) => [textKeyOf(question), question.id])),
  });
}

test('a release updates the fields of a question that differ, and names them', () => {
  const changed = { ...released('a', 'A?'), answer: 'Jo', tags: ['smakebit'], image_hash: 'f' };
  const { updates, unchanged, kept, drops } = compare([changed], [present(1, 'a', 'A?')]);
  expect(updates).toEqual([
    {
      group: 'a',
      language: 'no',
      question: 'A?',
      question_id: 1,
      action: 'updated',
      fields: ['answer', 'tags', 'image'],
      content: changed,
    },
  ]);
  expect({ unchanged, kept, drops }).toEqual({ unchanged: 0, kept: [], drops: [] });
});

test('a release leaves a question without differences as it is, also an edited or retired one', () => {
  const bank = [
    present(1, 'a', 'A?'),
    present(2, 'b', 'B?', { is_edited: true }),
    present(3, 'c', 'C?', { is_retired: true }),
  ];
  const all = [released('a', 'A?'), released('b', 'B?'), released('c', 'C?')];
  const { updates, drops, unchanged, kept, matched } = compare(all, bank);
  expect({ updates, drops, unchanged, kept }).toEqual({
    updates: [],
    drops: [],
    unchanged: 3,
    kept: [],
  });
  expect(matched.map(({ group, question_id }) => [group, question_id])).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
});

test.each<[string, PresentQuestion[], string[], string]>([
  ['edited', [present(1, 'a', 'A?', { is_edited: true })], [], 'edited'],
  ['retired', [present(1, 'a', 'A?', { is_retired: true })], [], 'retired'],
  ['deleted', [], ['a'], 'deleted'],
])('a release keeps a question that an administrator has %s', (_how, bank, known, reason) => {
  const { updates, missing, kept } = compare([released('a', 'A nå?')], bank, known);
  expect({ updates, missing }).toEqual({ updates: [], missing: [] });
  expect(kept).toMatchObject([{ group: 'a', question: 'A nå?', reason }]);
});

test('a release keeps a question whose new text another active question has', () => {
  const other = present(2, 'b', 'A nå?');
  const { kept, updates } = compare(
    [released('a', 'A nå?'), released('b', 'A nå?')],
    [present(1, 'a', 'A?'), other],
  );
  expect(updates).toEqual([]);
  expect(kept).toMatchObject([{ group: 'a', question_id: 1, reason: 'duplicate' }]);
  const retired = compare(
    [released('a', 'A nå?')],
    [present(1, 'a', 'A?'), { ...other, is_retired: true }],
  );
  expect(retired.updates).toMatchObject([{ question_id: 1, fields: ['question'] }]);
});

test('a release lacks in the bank what no release has had', () => {
  const { missing, kept } = compare([released('a', 'A?')], []);
  expect(missing).toEqual([released('a', 'A?')]);
  expect(kept).toEqual([]);
});

test('a release retires what it does not have any more, unless an administrator has edited it', () => {
  const { drops, kept } = compare(
    [],
    [
      present(1, 'a', 'A?'),
      present(2, 'b', 'B?', { is_edited: true }),
      present(3, 'c', 'C?', { is_retired: true }),
    ],
  );
  expect(drops).toEqual([
    { group: 'a', language: 'no', question: 'A?', question_id: 1, action: 'retired', fields: [] },
  ]);
  expect(kept).toMatchObject([{ group: 'b', question_id: 2, reason: 'edited' }]);
});
