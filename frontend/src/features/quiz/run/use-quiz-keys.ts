import { type RefObject, useEffect, useRef } from 'react';
import { optionForKey } from './quiz-position.ts';

type QuizKeys = { options: string[]; onOption: (option: string) => void; onNext: () => void };

/**
 * 1–9 and A–I choose, Enter goes on, while the focus is inside the area. Only there, because
 * single-letter shortcuts of a whole page get in the way of people who control it by speech.
 */
export function useQuizKeys(area: RefObject<HTMLElement | null>, keys: QuizKeys) {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const element = area.current;
    function onKeyDown(event: KeyboardEvent) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
      const option = optionForKey(event.key, latest.current.options);
      if (option !== undefined) latest.current.onOption(option);
      // A focused control keeps Enter for itself.
      const isControl =
        event.target instanceof Element && event.target.closest('button, a, input, summary');
      if (event.key === 'Enter' && !isControl) latest.current.onNext();
    }
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [area]);
}
