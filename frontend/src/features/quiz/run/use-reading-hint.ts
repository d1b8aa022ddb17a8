import { useState } from 'react';
import { useStored } from '#lib/use-stored.ts';

/**
 * How to get time to read is told once in a browser: on the question that first took the place of
 * an explanation.
 */
export function useReadingHint() {
  const [told, setTold] = useStored('proveklar.reading-hint', ['told'], '');
  const [hinted, setHinted] = useState<string>();
  return {
    hinted,
    /** @param next the question that comes now */
    tell(next: string) {
      if (told === 'told') return;
      setTold('told');
      setHinted(next);
    },
  };
}
