import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { expect, test } from 'vitest';
import { changedFields, faultsOf, readFaults, toDraft, toRequest } from './draft.ts';

const stored = toDraft({
  question: 'Hva heter Norges nasjonalforsamling?',
  answer: 'Stortinget',
  incorrect: ['Regjeringen', 'Sametinget'],
  topic: 'Demokrati',
  explanation: null,
  source_url: null,
  checked_at: null,
  tags: ['makt', 'valg'],
} as unknown as BankQuestion);

test('unchanged fields are sent as stored', () => {
  expect(toRequest(stored, 3)).toEqual({
    version: 3,
    question: 'Hva heter Norges nasjonalforsamling?',
    answer: 'Stortinget',
    incorrect: ['Regjeringen', 'Sametinget'],
    topic: 'Demokrati',
    explanation: null,
    source_url: null,
    checked_at: null,
    tags: ['makt', 'valg'],
  });
  expect(changedFields(stored, stored)).toEqual([]);
});

test('moving a wrong answer is a change', () => {
  const moved = { ...stored, incorrect: stored.incorrect.toReversed(), tags: 'makt' };
  expect(changedFields(moved, stored)).toEqual(['incorrect', 'tags']);
});

test('missing and duplicate texts are found before sending', () => {
  const draft = {
    ...stored,
    question: ' ',
    incorrect: [
      { key: 0, text: 'Stortinget ' },
      { key: 1, text: '' },
    ],
    source_url: 'stortinget.no',
  };
  expect(faultsOf(draft)).toEqual({
    question: 'blank',
    'incorrect.0': 'same_twice',
    'incorrect.1': 'blank',
    source_url: 'not_a_web_address',
  });
  expect(faultsOf(stored)).toEqual({});
});

test('a topic that is too long is found before sending', () => {
  expect(faultsOf({ ...stored, topic: 'æ'.repeat(2001) })).toEqual({ topic: 'too_long' });
  expect(faultsOf({ ...stored, topic: '😀'.repeat(2000) })).toEqual({});
});

test('errors of the API are mapped to their fields, also unknown ones', () => {
  const faults = [
    { field: 'topic', reason: 'reserved_name' },
    { field: 'incorrect.1', reason: 'something_new' },
  ];
  expect(readFaults({ faults })).toEqual({ topic: 'reserved_name', 'incorrect.1': 'invalid' });
  expect(readFaults({ field: 'question', part: 'body' })).toEqual({ question: 'invalid' });
  expect(readFaults({})).toEqual({});
});
