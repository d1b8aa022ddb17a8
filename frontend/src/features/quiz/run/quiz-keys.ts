import { optionForKey } from './quiz-position.ts';

/**
 * Where the focus is when a key is pressed: in a text field, on a control that Enter operates, on the
 * chosen option, for which Enter would do nothing more, or elsewhere.
 */
export type FocusPlace = 'field' | 'control' | 'chosen' | 'elsewhere';

type KeyPress = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'repeat'> & {
  /** The place of the key, such as `KeyA`. */
  code?: string;
};

/**
 * What a key does in a quiz: choose an option, advance, or mark the question.
 *
 * @param letters whether 1–9 and A–I choose, and M marks. They can be turned off (WCAG 2.1.4), because people
 *   who use speech input, or have an unsteady hand, press such keys unintentionally. Enter is not a character
 *   key, and stays.
 */
export function actionOf(
  press: KeyPress,
  focus: FocusPlace,
  { options, letters, marks }: { options: string[]; letters: boolean; marks: boolean },
): { choose: string } | 'next' | 'mark' | undefined {
  if (press.altKey || press.ctrlKey || press.metaKey || press.repeat || focus === 'field') {
    return undefined;
  }
  if (press.key === 'Enter') return focus === 'control' ? undefined : 'next';
  if (!letters) return undefined;
  const key = latinKey(press);
  if (marks && key.toLowerCase() === 'm') return 'mark';
  const option = optionForKey(key, options);
  return option === undefined ? undefined : { choose: option };
}

/** The key itself; on a keyboard in another script, such as Arabic, the Latin letter or digit of the same place. */
function latinKey({ key, code = '' }: KeyPress): string {
  if (/^[\p{ASCII}\p{Script=Latin}]+$/u.test(key)) return key;
  return /^(?:Key|Digit|Numpad)([A-Z\d])$/.exec(code)?.[1] ?? key;
}

const FIELD =
  'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])';

export function placeOf(target: EventTarget | null): FocusPlace {
  if (!(target instanceof Element)) return 'elsewhere';
  if (target.closest(FIELD)) return 'field';
  const control = target.closest('button, a, input, summary');
  if (!control) return 'elsewhere';
  const isChosen =
    control.getAttribute('aria-pressed') === 'true' && control.closest('[role=group]');
  return isChosen || control.getAttribute('aria-disabled') === 'true' ? 'chosen' : 'control';
}
