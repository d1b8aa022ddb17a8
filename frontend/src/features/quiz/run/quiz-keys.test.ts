import { expect, test } from 'vitest';
import { actionOf, type FocusPlace } from './quiz-keys.ts';

const options = ['one', 'two', 'three'];
const press = (key: string, held = {}) => ({
  key,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  repeat: false,
  ...held,
});
const act = (key: string, focus: FocusPlace, letters = true, held = {}) =>
  actionOf(press(key, held), focus, { options, letters, marks: false });

test.each(['elsewhere', 'control', 'chosen'] as const)('letters and digits choose: %s', (focus) => {
  expect(act('2', focus)).toEqual({ choose: 'two' });
  expect(act('c', focus)).toEqual({ choose: 'three' });
  expect(act('d', focus)).toBeUndefined();
});

test.each([
  ['ش', 'KeyA', 'one'],
  ['٢', 'Digit2', 'two'],
  ['с', 'KeyC', 'three'],
  // A letter of ours counts, wherever the layout has it.
  ['b', 'KeyN', 'two'],
])('%s on a keyboard in another script chooses by the place of the key', (key, code, chosen) => {
  expect(act(key, 'elsewhere', true, { code })).toEqual({ choose: chosen });
});

test('Enter advances, unless the focused element needs it', () => {
  expect(act('Enter', 'elsewhere')).toBe('next');
  expect(act('Enter', 'chosen')).toBe('next');
  expect(act('Enter', 'control')).toBeUndefined();
});

test('letters and digits can be turned off, but not Enter', () => {
  expect(act('2', 'elsewhere', false)).toBeUndefined();
  expect(act('a', 'chosen', false)).toBeUndefined();
  expect(act('Enter', 'elsewhere', false)).toBe('next');
});

test('keys in a text field, with a modifier or held down do nothing', () => {
  for (const key of ['a', '1', 'Enter']) {
    expect(act(key, 'field')).toBeUndefined();
    for (const held of ['altKey', 'ctrlKey', 'metaKey', 'repeat']) {
      expect(act(key, 'elsewhere', true, { [held]: true })).toBeUndefined();
    }
  }
});

test('M marks a question, if questions can be marked', () => {
  const marks = (letters: boolean) => ({ options, letters, marks: true });
  expect(actionOf(press('m'), 'elsewhere', marks(true))).toBe('mark');
  expect(actionOf(press('M'), 'chosen', marks(true))).toBe('mark');
  expect(actionOf(press('m'), 'elsewhere', marks(false))).toBeUndefined();
  expect(act('m', 'elsewhere')).toBeUndefined();
});
