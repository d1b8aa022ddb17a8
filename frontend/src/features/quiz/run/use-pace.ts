import { useEffect, useEffectEvent, useState } from 'react';

/**
 * What a question that came automatically refuses at first. After a judgement: everything, so that a correction
 * of the answer before, made a little too late, is not taken for an answer. Where the next question comes at
 * once: the mouse or finger that has just chosen, because half of a double tap was not meant for it.
 */
export interface Guard {
  question: string;
  against: 'everything' | 'pointer';
}

const GUARD_MS = { everything: 600, pointer: 300 };

/** The question that is guarded, if any; each guard ends after its time. */
export function useGuard() {
  const [guard, setGuard] = useState<Guard>();
  const lift = useEffectEvent(() => setGuard(undefined));
  useEffect(() => {
    if (!guard) return undefined;
    const timer = setTimeout(() => lift(), GUARD_MS[guard.against]);
    return () => clearTimeout(timer);
  }, [guard]);
  return [guard, setGuard] as const;
}
