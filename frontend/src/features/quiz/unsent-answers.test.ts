import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetLearner, forgetOldAnswers } from './forget-old-answers.ts';
import { storeText } from '#lib/use-stored.ts';
import {
  forgetAnswer,
  forgetMark,
  forgetUnsent,
  isKept,
  keepAnswer,
  keepHandIn,
  keepMark,
  readUnsent,
} from './unsent-answers.ts';

const owner = { uid: 'me', quizId: 'q1' };
const nothing = { answers: {}, shownMs: {}, marks: {}, handIn: false };
let stored: Record<string, string>;
beforeEach(() => {
  stored = {};
  vi.stubGlobal(
    'localStorage',
    // As the browser's: its entries are its keys.
    new Proxy(stored, {
      get: (target, name) =>
        ({
          getItem: (key: string) => target[key] ?? null,
          setItem: (key: string, value: string) => void (target[key] = value),
          removeItem: (key: string) => void delete target[key],
        })[name as string],
    }),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('unsent answers are read only by their learner, in their quiz', () => {
  keepAnswer(owner, 'a', 'x');
  keepAnswer(owner, 'b', 'y');
  expect(readUnsent(owner)).toEqual({ ...nothing, answers: { a: 'x', b: 'y' } });
  expect(readUnsent({ uid: 'another learner', quizId: 'q1' })).toEqual(nothing);
  expect(readUnsent({ uid: 'me', quizId: 'q2' })).toEqual(nothing);
});

test('an acknowledged answer is forgotten, but not a later choice', () => {
  keepAnswer(owner, 'a', 'x');
  keepAnswer(owner, 'a', 'later');
  forgetAnswer(owner, 'a', 'x');
  expect(readUnsent(owner).answers).toEqual({ a: 'later' });
  forgetAnswer(owner, 'a', 'later');
  expect(stored).toEqual({});
});

test('how long a question was shown is stored with its answer, and forgotten with it', () => {
  keepAnswer(owner, 'a', 'x', 1_200);
  keepAnswer(owner, 'b', 'y');
  expect(readUnsent(owner).shownMs).toEqual({ a: 1_200 });
  keepAnswer(owner, 'a', 'later, of an unknown time');
  expect(readUnsent(owner).shownMs).toEqual({});
  keepAnswer(owner, 'a', 'x', 900);
  forgetAnswer(owner, 'a', 'another');
  expect(readUnsent(owner).shownMs).toEqual({ a: 900 });
  forgetAnswer(owner, 'a', 'x');
  expect(readUnsent(owner).shownMs).toEqual({});
});

test('a mark is stored until it is acknowledged', () => {
  keepAnswer(owner, 'a', 'x');
  keepMark(owner, 'a', true);
  keepMark(owner, 'a', false);
  forgetMark(owner, 'a', true);
  expect(readUnsent(owner)).toEqual({ ...nothing, answers: { a: 'x' }, marks: { a: false } });
  forgetAnswer(owner, 'a');
  expect(readUnsent(owner).marks).toEqual({ a: false });
  forgetMark(owner, 'a', false);
  expect(stored).toEqual({});
});

test('a requested hand-in is stored until it is done or the quiz is over', () => {
  keepHandIn(owner, true);
  keepAnswer(owner, 'a', 'x');
  expect(readUnsent(owner)).toEqual({ ...nothing, answers: { a: 'x' }, handIn: true });
  keepHandIn(owner, false);
  expect(readUnsent(owner).handIn).toBe(false);
  forgetUnsent(owner);
  expect(stored).toEqual({});
});

test('without storage, answers last as long as the page, which isKept reports', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem() {
      throw new DOMException('full', 'QuotaExceededError');
    },
    removeItem() {},
  });
  keepAnswer(owner, 'a', 'x');
  expect(readUnsent(owner).answers).toEqual({ a: 'x' });
  expect(isKept(owner)).toBe(false);
  forgetAnswer(owner, 'a');
  expect(readUnsent(owner)).toEqual(nothing);
  expect(isKept(owner)).toBe(true);
});

test('invalid stored content is ignored', () => {
  keepAnswer(owner, 'a', 'x');
  const [key = ''] = Object.keys(stored);
  for (const [value, read] of [
    ['no json', nothing],
    ['null', nothing],
    ['{"answers":7}', nothing],
    ['{"answers":{"a":1,"b":"y"}}', { ...nothing, answers: { b: 'y' } }],
    ['{"shownMs":{"a":-1,"b":1.5,"c":"y","d":7}}', { ...nothing, shownMs: { d: 7 } }],
    ['{"marks":{"a":true,"b":"y"}}', { ...nothing, marks: { a: true } }],
  ] as const) {
    stored[key] = value;
    expect(readUnsent(owner)).toEqual(read);
  }
});

test('unsent answers of all learners are removed after 30 days', () => {
  vi.useFakeTimers({ now: new Date('2026-01-01') });
  keepAnswer({ uid: 'gone', quizId: 'q' }, 'a', 'x');
  stored['proveklar.unsent.strange.q'] = '{}';
  stored.other = '1';
  vi.setSystemTime(new Date('2026-01-30'));
  keepAnswer(owner, 'a', 'x');
  forgetOldAnswers();
  expect(Object.keys(stored).toSorted()).toEqual([
    'other',
    'proveklar.unsent.gone.q',
    'proveklar.unsent.me.q1',
  ]);
  vi.setSystemTime(new Date('2026-02-01'));
  forgetOldAnswers();
  expect(Object.keys(stored).toSorted()).toEqual(['other', 'proveklar.unsent.me.q1']);
});

test('deleting an account removes its unsent answers, and keeps those of others', () => {
  keepAnswer(owner, 'a', 'x');
  keepAnswer({ uid: 'me', quizId: 'q2' }, 'a', 'x');
  keepAnswer({ uid: 'meg', quizId: 'q1' }, 'a', 'x');
  storeText('proveklar.exam.me', 'statsborger');
  storeText('proveklar.exam.meg', 'statsborger');
  forgetLearner('me');
  expect(Object.keys(stored)).toEqual(['proveklar.unsent.meg.q1', 'proveklar.exam.meg']);
});
