import { useEffect, useRef, useState } from 'react';
import { useStored } from '#lib/use-stored.ts';
import { actionOf, placeOf } from './quiz-keys.ts';

type QuizKeys = {
  options: string[];
  onOption: (option: string) => void;
  onNext: () => void;
  /** Where questions can be marked. */
  onMark?: (() => void) | undefined;
};
export type QuizKeysState = ReturnType<typeof useQuizKeys>;

/**
 * 1–9 and A–I choose, M marks, Enter goes on: wherever the focus is on the page, because a click beside the
 * text or a closed dialog takes it anywhere; but not under a dialog. Letters and digits can be turned
 * off (WCAG 2.1.4), by a switch that is there as soon as somebody has a keyboard.
 */
export function useQuizKeys(keys: QuizKeys) {
  const [letters, setLetters] = useStored('proveklar.quiz-keys', ['on', 'off'], 'on');
  const [used, setUsed] = useState(false);
  const latest = useRef({ ...keys, letters });
  useEffect(() => {
    latest.current = { ...keys, letters };
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      // The keys that a screen shows are pressed in a field only.
      if (placeOf(event.target) !== 'field') setUsed(true);
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const { options, onOption, onNext, onMark } = latest.current;
      const action = actionOf(event, placeOf(event.target), {
        options,
        letters: latest.current.letters === 'on',
        marks: onMark !== undefined,
      });
      if (action === undefined) return;
      if (action === 'mark') onMark?.();
      else if (action === 'next') {
        // Else the option that has the focus would be pressed, too.
        event.preventDefault();
        onNext();
      } else onOption(action.choose);
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return {
    letters: letters === 'on',
    setLetters: (on: boolean) => setLetters(on ? 'on' : 'off'),
    marks: keys.onMark !== undefined,
    /** A key was pressed: there is a keyboard, even on a phone. */
    used,
  };
}
