import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { expect, test } from 'vitest';
import {
  changedFields,
  compareDrafts,
  faultsOf,
  mergeDrafts,
  readFaults,
  toCreateRequest,
  toDraft,
  toRequest,
  toTranslation,
} from './draft.ts';

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

const SEEN = { version: 3, revision: 5 };

test('unchanged fields are sent as stored', () => {
  expect(toRequest(stored, SEEN)).toEqual({
    ...SEEN,
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
    image: null,
    image_alt: null,
    areas: null,
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
  expect(toRequest(moved, SEEN)).toMatchObject({
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
      { key: 0, text: 'Stortinget ', reason: '', area: '' },
      { key: 1, text: '', reason: '', area: '' },
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

const SHAPE = '1,1 20,1 20,20.5';
const drawn = {
  ...stored,
  image: '/api/v1/images/ab',
  image_alt: 'Tre bygninger',
  area: SHAPE,
  incorrect: stored.incorrect.map((one) => ({ ...one, area: ` ${SHAPE}  ` })),
};

test('areas follow their answers, and a stored picture is not sent again', () => {
  expect(toRequest({ ...drawn, answer: 'Tinget' }, SEEN)).toMatchObject({
    image_alt: 'Tre bygninger',
    areas: ['Tinget', 'Regjeringen', 'Sametinget'].map((name) => ({ name, shape: SHAPE })),
  });
  expect(toRequest(drawn, SEEN)).not.toHaveProperty('image');
  expect(toRequest({ ...drawn, image: 'data:image/png;base64,AA' }, SEEN)).toMatchObject({
    image: 'data:image/png;base64,AA',
  });
  expect(changedFields(drawn, stored)).toEqual(['incorrect', 'image', 'image_alt', 'area']);
});

test('faults of a picture are found before sending', () => {
  expect(faultsOf(drawn)).toEqual({});
  const [first, second] = drawn.incorrect;
  const faulty = {
    ...drawn,
    image: `data:${'x'.repeat(2 * 1024 ** 2)}`,
    image_alt: ' ',
    incorrect: [
      { ...first!, area: '' },
      { ...second!, area: '1,1 101,1 1,2' },
    ],
  };
  expect(faultsOf(faulty)).toEqual({
    image: 'image_too_large',
    image_alt: 'blank',
    'areas.1': 'area_missing',
    'areas.2': 'not_a_shape',
  });
  expect(faultsOf({ ...faulty, image: '' })).toEqual({});
});

test('of two changes, each field is taken from the editor who changed it, and both are asked about', () => {
  const mine = { ...stored, question: 'Min tekst?', topic: 'Stortinget', tags: 'nytt' };
  const theirs = { ...stored, topic: 'Politikk', tags: 'nytt', ages: '2030' };
  const differences = compareDrafts(stored, mine, theirs);
  expect(differences).toEqual({ theirs: ['ages'], both: ['topic'] });
  expect(mergeDrafts(mine, theirs, differences.theirs)).toEqual({ ...mine, ages: '2030' });
  expect(mergeDrafts(mine, theirs, ['ages', 'topic'])).toMatchObject({
    question: 'Min tekst?',
    topic: 'Politikk',
  });
});

test('a translation begins with all but the texts, and keeps the picture of its original', () => {
  const image = { url: '/api/v1/images/1', alt: 'Et kart', width: 10, height: 10 };
  const original = {
    question: 'Hva?',
    answer: 'Stortinget',
    incorrect: ['Regjeringen'],
    incorrect_reasons: ['Den styrer.'],
    topic: 'Demokrati',
    tags: ['makt'],
    excludes: [],
    image,
    areas: [
      { name: 'Stortinget', shape: '1,1 2,2 3,3' },
      { name: 'Regjeringen', shape: '4,4 5,5 6,6' },
    ],
  } as unknown as BankQuestion;
  const begun = toTranslation(original);
  expect(begun).toMatchObject({
    question: '',
    answer: '',
    topic: '',
    image: image.url,
    image_alt: '',
    area: '1,1 2,2 3,3',
    tags: 'makt',
    incorrect: [{ text: '', reason: '', area: '4,4 5,5 6,6' }],
  });
  const translated = { ...begun, answer: 'Parliament', image_alt: 'A map' };
  expect(toCreateRequest(translated, 'en', { id: 7, isTranslation: true })).toMatchObject({
    language: 'en',
    translation_of: 7,
    picture_of: 7,
    image_alt: 'A map',
    areas: [{ name: 'Parliament' }, { name: '' }],
  });
  const copy = toCreateRequest({ ...begun, image: '' }, 'no', { id: 7, isTranslation: false });
  expect(copy).not.toHaveProperty('picture_of');
  expect(copy).not.toHaveProperty('translation_of');
});
