import { expect, test } from 'vitest';
import {
  countAnswered,
  firstUnanswered,
  optionForKey,
  whereLeft,
  whereShown,
} from './quiz-position.ts';

const questions = ['a', 'b', 'c'].map((uuid, id) => ({
  id,
  uuid,
  question: '?',
  options: ['x', 'y'],
  topic: 't',
  language: 'no',
}));

test('a quiz continues at the first unanswered question', () => {
  expect(firstUnanswered(questions, {})).toBe(0);
  expect(firstUnanswered(questions, { a: { answer: 'x' }, c: { answer: 'x' } })).toBe(1);
  expect(firstUnanswered(questions, { a: { answer: '' } })).toBe(0);
  const all = { a: { answer: 'x' }, b: { answer: 'x' }, c: { answer: 'x' } };
  expect(firstUnanswered(questions, all)).toBe(2);
  expect(countAnswered(questions, { a: { answer: 'x' }, b: { answer: '' } })).toBe(1);
});

test('after a reload a drill shows the question that was just answered, but no older one', () => {
  const answers = { a: { answer: 'x' }, b: { answer: 'x' } };
  expect(whereLeft(questions, answers, 'b')).toBe(1);
  expect(whereLeft(questions, answers, 'a')).toBe(2);
  expect(whereLeft(questions, answers, 'c')).toBe(2);
  expect(whereLeft(questions, {}, null)).toBe(0);
});

test('after a reload a practice test shows the same question', () => {
  const answers = { a: { answer: 'x' } };
  expect(whereShown(questions, answers, 'c')).toBe(2);
  expect(whereShown(questions, answers, 'a')).toBe(0);
  // Another tab.
  expect(whereShown(questions, answers, null)).toBe(1);
});

test('digits and letters choose an option', () => {
  const options = ['one', 'two', 'three'];
  expect(optionForKey('1', options)).toBe('one');
  expect(optionForKey('C', options)).toBe('three');
  expect(optionForKey('b', options)).toBe('two');
  for (const key of ['4', 'd', '0', 'Enter', ' ', ''])
    expect(optionForKey(key, options)).toBeUndefined();
});
