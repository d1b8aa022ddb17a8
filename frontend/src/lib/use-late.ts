import { useEffect, useState } from 'react';

/** True once something has been true for so many milliseconds on end. */
export function useLate(isTrue: boolean, milliseconds: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!isTrue) return undefined;
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isTrue, milliseconds]);
  return isTrue && late;
}
