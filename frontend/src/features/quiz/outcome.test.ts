import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { loadTexts, startTexts } from '#i18n/i18n.ts';
import { outcomeOf, resultTone, timeSpent, topicScores } from './outcome.ts';

const question = (uuid: string) => ({
  id: 1,
  uuid,
  question: '?',
  options: ['a', 'b'],
  topic: 'Historie',
  language: 'no',
});
const uuids = (questions: { uuid: string }[]) => questions.map(({ uuid }) => uuid);

test('a trial question is never among the wrong ones, nor is one without an answer', () => {
  const { wrong, unanswered, trial, allRight } = outcomeOf({
    questions: ['right', 'wrong', 'left out', 'trial right', 'trial wrong'].map(question),
    answers: {
      right: { answer: 'a', correct: true, counted: true },
      wrong: { answer: 'b', correct: false, counted: true },
      'left out': { answer: '', correct: false, counted: true },
      'trial right': { answer: 'a', correct: true, counted: false },
      'trial wrong': { answer: 'b', correct: false, counted: false },
    },
  });
  expect(uuids(wrong)).toEqual(['wrong']);
  expect(uuids(unanswered)).toEqual(['left out']);
  expect(uuids(trial)).toEqual(['trial right', 'trial wrong']);
  expect(allRight).toBe(false);
});

test('every answer of a drill counts', () => {
  const outcome = outcomeOf({
    questions: [question('one')],
    answers: { one: { answer: 'a', correct: true } },
  });
  expect(outcome).toEqual({ wrong: [], unanswered: [], trial: [], allRight: true });
});

const ask = (uuid: string, topic: string) => ({
  id: 1,
  uuid,
  question: '?',
  options: ['a', 'b'],
  topic,
  language: 'no',
});

test('scores the counted questions by topic, the weakest first', () => {
  const questions = [
    ask('1', 'Historie'),
    ask('2', 'Historie'),
    ask('3', 'Geografi'),
    ask('4', 'Arbeid'),
    ask('5', 'Arbeid'),
    ask('6', 'Trial only'),
  ];
  const right = { answer: 'a', correct: true, counted: true };
  const wrong = { answer: '', correct: false, counted: true };
  const answers = { 1: right, 2: right, 3: wrong, 4: wrong, 5: wrong };
  const trial = { 6: { ...wrong, counted: false } };
  expect(topicScores({ questions, answers: { ...answers, ...trial } })).toEqual([
    { topic: 'Arbeid', right: 0, total: 2 },
    { topic: 'Geografi', right: 0, total: 1 },
    { topic: 'Historie', right: 2, total: 2 },
  ]);
});

test.each([
  [10, 10, 'excellent'],
  [9, 10, 'excellent'],
  [31, 34, 'excellent'],
  [30, 34, 'good'],
  [5, 10, 'good'],
  [4, 10, 'low'],
  [16, 34, 'low'],
  [0, 10, 'low'],
] as const)('%i of %i is %s', (score, total, tone) => {
  expect(resultTone(score, total)).toBe(tone);
});

beforeAll(async () => {
  await startTexts('no');
  await loadTexts('learner');
});

const DAY = 24 * 60 * 60;

test.each([
  [29, 'under ett minutt'],
  [60, '1 minutt'],
  [3 * 60 * 60, '180 minutter'],
  [DAY, '1440 minutter'],
])('%i seconds are %s', (seconds, text) => {
  expect(timeSpent(seconds, i18next.getFixedT('no', 'learner'))).toBe(text);
});
