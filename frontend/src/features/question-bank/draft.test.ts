import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { expect, test } from 'vitest';
import { changedFields, faultsOf, readFaults, toDraft, toRequest } from './draft.ts';

const stored = toDraft({
  question: 'Hva heter Norges nasjonalforsamling?',
  answer: 'Stortinget',
  incorrect: ['Regjeringen', 'Sametinget'],
  incorrect_reasons: ['Den styrer landet.', null],
  topic: 'Demokrati',
  explanation: null,
  source_url: null,
  source_title: 'Stortinget',
  checked_at: null,
  valid_from: '2024-02-29',
  ages: 2027,
  excludes: ['demokrati-002', 'demokrati-003'],
  tags: ['makt', 'valg'],
} as unknown as BankQuestion);

test('unchanged fields are sent as stored', () => {
  expect(toRequest(stored, 3)).toEqual({
    version: 3,
    question: 'Hva heter Norges nasjonalforsamling?',
    answer: 'Stortinget',
    incorrect: ['Regjeringen', 'Sametinget'],
    incorrect_reasons: ['Den styrer landet.', null],
    topic: 'Demokrati',
    explanation: null,
    source_url: null,
    source_title: 'Stortinget',
    checked_at: null,
    valid_from: '2024-02-29',
    ages: 2027,
    excludes: ['demokrati-002', 'demokrati-003'],
    tags: ['makt', 'valg'],
  });
  expect(changedFields(stored, stored)).toEqual([]);
});

test('moving a wrong answer is a change', () => {
  const moved = { ...stored, incorrect: stored.incorrect.toReversed(), tags: 'makt' };
  expect(changedFields(moved, stored)).toEqual(['incorrect', 'tags']);
});

test('a reason is a change, and moves with its wrong answer', () => {
  const [first, second] = stored.incorrect;
  const reasoned = { ...stored, incorrect: [first!, { ...second!, reason: ' Det er samisk. ' }] };
  expect(changedFields(reasoned, stored)).toEqual(['incorrect']);
  const moved = { ...reasoned, incorrect: reasoned.incorrect.toReversed(), ages: '', excludes: '' };
  expect(toRequest(moved, 3)).toMatchObject({
    incorrect: ['Sametinget', 'Regjeringen'],
    incorrect_reasons: ['Det er samisk.', 'Den styrer landet.'],
    ages: null,
    excludes: [],
  });
});

test('missing and duplicate texts are found before sending', () => {
  const draft = {
    ...stored,
    question: ' ',
    incorrect: [
      { key: 0, text: 'Stortinget ', reason: '' },
      { key: 1, text: '', reason: '' },
    ],
    source_url: 'stortinget.no',
    ages: '27',
  };
  expect(faultsOf(draft)).toEqual({
    question: 'blank',
    'incorrect.0': 'same_twice',
    'incorrect.1': 'blank',
    source_url: 'not_a_web_address',
    ages: 'not_a_year',
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
