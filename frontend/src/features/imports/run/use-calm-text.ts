import { useEffect, useRef, useState } from 'react';

const CALM_MS = 10_000;

/**
 * A text for a screen reader that changes at most every 10 seconds, however often the given one
 * does; at once when `moment` changes.
 */
export function useCalmText(text: string, moment: string): string {
  const [said, setSaid] = useState({ text, moment });
  const newest = useRef(text);
  useEffect(() => {
    newest.current = text;
  }, [text]);
  useEffect(() => {
    const timer = setInterval(
      () => setSaid((last) => ({ ...last, text: newest.current })),
      CALM_MS,
    );
    return () => clearInterval(timer);
  }, []);
  if (said.moment !== moment) setSaid({ text, moment });
  return said.text;
}
