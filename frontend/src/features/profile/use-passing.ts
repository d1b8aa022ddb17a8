import { useEffect, useRef, useState } from 'react';

/** Long enough to be read twice, slowly. */
const SHOWN_MS = 20_000;

/** Says for a while what came of something: later it is `nothing` again. */
export function usePassing<Value>(nothing: Value) {
  const [value, setValue] = useState(nothing);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function say(next: Value) {
    clearTimeout(timer.current);
    setValue(next);
    if (next !== nothing) timer.current = setTimeout(() => setValue(nothing), SHOWN_MS);
  }

  return [value, say] as const;
}
