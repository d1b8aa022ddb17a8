import { expect, test } from 'vitest';
import { outcomeOf } from './outcome.ts';

const question = (uuid: string) => ({
  id: 1,
  uuid,
  question: '?',
  options: ['a', 'b'],
  topic: 'Historie',
  language: 'no',
});
const uuids = (questions: { uuid: string }[]) => questions.map(({ uuid }) => uuid);

test('a trial question is not among the wrong ones, whatever the answer was', () => {
  const { wrong, trial, allRight } = outcomeOf({
    questions: ['right', 'wrong', 'left out', 'trial right', 'trial wrong'].map(question),
    answers: {
      right: { answer: 'a', correct: true, counted: true },
      wrong: { answer: 'b', correct: false, counted: true },
      'left out': { answer: '', correct: false, counted: true },
      'trial right': { answer: 'a', correct: true, counted: false },
      'trial wrong': { answer: 'b', correct: false, counted: false },
    },
  });
  expect(uuids(wrong)).toEqual(['wrong', 'left out']);
  expect(uuids(trial)).toEqual(['trial right', 'trial wrong']);
  expect(allRight).toBe(false);
});

test('every answer of a drill counts', () => {
  const outcome = outcomeOf({
    questions: [question('one')],
    answers: { one: { answer: 'a', correct: true } },
  });
  expect(outcome).toEqual({ wrong: [], trial: [], allRight: true });
});
