import { expect, test } from 'vitest';
import { topicName } from './topic-name.ts';

const history = { topic: 'Historie', language: 'no', names: { no: 'Historie', en: 'History' } };

test('a topic is named in the language of the screen', () => {
  expect(topicName(history, 'en')).toEqual({ name: 'History', language: 'en' });
  expect(topicName(history, 'no')).toEqual({ name: 'Historie', language: 'no' });
});

test('and as its questions name it, where the bank has no other name', () => {
  const unpaired = { ...history, names: { no: 'Historie', en: null } };
  expect(topicName(unpaired, 'en')).toEqual({ name: 'Historie', language: 'no' });
  const { names: _names, ...ofTheVersionBefore } = history;
  expect(topicName(ofTheVersionBefore, 'en')).toEqual({ name: 'Historie', language: 'no' });
});
