import { expect, test } from 'vitest';
import { withMemoryStorage } from '#lib/test-support.ts';
import { beginSample, readSample, renewSample, withAnswer, writeSample } from './kept-sample.ts';
import { keepAnswer } from './unsent-answers.ts';

const stored = withMemoryStorage('sessionStorage', 'localStorage');

const question = (uuid: string, options = ['x', 'y']) => ({
  id: 1,
  uuid,
  question: '?',
  options,
  topic: 't',
  language: 'no',
});
const right = { score: null, correct: true, correct_answer: 'x' };
const begun = () => beginSample([question('a'), question('b')]);
const answered = () => withAnswer(begun(), { question_id: 'a', answer: 'x' }, right);

test('answers survive a reload, and a sample without an answer starts again', () => {
  const go = answered();
  writeSample(go);
  expect(readSample()).toEqual(go);
  expect(go.answers.a).toEqual({ answer: 'x', correct: true, correct_answer: 'x' });
  writeSample(begun());
  expect(readSample()).toBeNull();
  const waiting = begun();
  writeSample(waiting);
  keepAnswer({ uid: 'sample', quizId: waiting.id }, 'a', 'x');
  expect(readSample()).toEqual(waiting);
});

test('invalid stored content is ignored', () => {
  writeSample(answered());
  const [key = ''] = stored.keys();
  const some = JSON.stringify({ ...answered(), questions: [null] });
  for (const value of ['no json', 'null', '7', '{"id":"a","questions":[]}', some]) {
    stored.set(key, value);
    expect(readSample()).toBeNull();
  }
});

test('a renewed sample keeps the answers that still belong to it', () => {
  const both = withAnswer(answered(), { question_id: 'b', answer: 'y' }, right);
  const renewed = renewSample(both, [question('a'), question('b', ['x', 'z']), question('c')]);
  expect(Object.keys(renewed.answers)).toEqual(['a']);
  expect(renewed.id).not.toBe(both.id);
});
