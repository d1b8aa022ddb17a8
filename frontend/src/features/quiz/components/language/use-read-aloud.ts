import { useEffect, useSyncExternalStore } from 'react';
import { type Passage, reader } from '#lib/speech.ts';
import { useStored } from '#lib/use-stored.ts';

/** In a page that is not in a browser yet. */
const no = () => false;
const RATE = { normal: 1, slow: 0.75 };

/**
 * One thing that can be read aloud. It begins only when somebody asks for it: whoever has a screen
 * reader has a voice already.
 */
export function useReadAloud(name: string, language: string, toPassages: () => Passage[]) {
  const [speed, setSpeed] = useStored('proveklar.reading-speed', ['normal', 'slow'], 'normal');
  const available = useSyncExternalStore(reader.subscribe, () => reader.canRead(language), no);
  const reading = useSyncExternalStore(reader.subscribe, () => reader.reading() === name, no);
  return {
    available,
    reading,
    slow: speed === 'slow',
    toggle: () => {
      if (reading) reader.stop();
      else reader.read(name, toPassages(), RATE[speed]);
    },
    setSlow: (slow: boolean) => {
      const next = slow ? 'slow' : 'normal';
      setSpeed(next);
      // From the beginning: a voice cannot change its pace half-way.
      if (reading) reader.read(name, toPassages(), RATE[next]);
    },
  };
}

const silenceAfter = (_shown: string) => () => reader.stop();

/** Nothing is read over what comes next. */
export function useSilenceAfter(...what: (string | undefined)[]): void {
  const shown = what.join(' ');
  useEffect(() => silenceAfter(shown), [shown]);
}
