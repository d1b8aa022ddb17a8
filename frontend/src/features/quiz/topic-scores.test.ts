import { expect, test } from 'vitest';
import { topicScores } from './topic-scores.ts';

const ask = (uuid: string, topic: string) => ({
  id: 1,
  uuid,
  question: '?',
  options: ['a', 'b'],
  topic,
  language: 'no',
});

test('counts what counts by topic, the weakest first', () => {
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
