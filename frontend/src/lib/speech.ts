import { questionTag } from './question-language.ts';

/** A text that is read aloud as one utterance, with its language. */
export type Passage = { text: string; language: string };

/** The part of the speech synthesis that is used. Older Safari has no event listeners. */
export type Synthesis = Pick<SpeechSynthesis, 'getVoices' | 'speak' | 'cancel'> &
  Partial<Pick<SpeechSynthesis, 'addEventListener' | 'removeEventListener'>>;

/** The voice tags that can read a language, the best first; other languages use only their own tag. */
const TAGS: Record<string, string[]> = {
  nb: ['nb-no', 'nb', 'no-no', 'no', 'nn-no', 'nn'],
  nn: ['nn-no', 'nn', 'nb-no', 'nb', 'no-no', 'no'],
  en: ['en-gb', 'en-us', 'en'],
};

const tagOf = ({ lang }: SpeechSynthesisVoice) => lang.toLowerCase().replaceAll('_', '-');

/**
 * The voice for a language. Local voices come before those that send the text to the browser's vendor.
 */
export function chooseVoice(
  voices: readonly SpeechSynthesisVoice[],
  language: string,
): SpeechSynthesisVoice | undefined {
  const tag = questionTag(language).toLowerCase();
  const tags = TAGS[tag] ?? [tag];
  const rank = (voice: SpeechSynthesisVoice) => {
    const known = tags.indexOf(tagOf(voice));
    if (known !== -1) return known;
    // The same language of another region.
    return tagOf(voice).startsWith(`${tag}-`) ? tags.length : Infinity;
  };
  return voices
    .filter((voice) => rank(voice) < Infinity)
    .toSorted((a, b) => Number(b.localService) - Number(a.localService) || rank(a) - rank(b))[0];
}

/**
 * Reads aloud, one named text at a time. Each passage is an utterance of its own, because some voices
 * stop after 15 seconds.
 *
 * @param synthesis undefined in a browser without speech synthesis: then nothing can be read
 */
export function createReader(
  synthesis: Synthesis | undefined,
  toUtterance = (text: string) => new SpeechSynthesisUtterance(text),
) {
  const listeners = new Set<() => void>();
  let reading: string | undefined;
  // Kept referenced until they end: otherwise a browser may collect them as garbage, and their end events.
  let utterances: SpeechSynthesisUtterance[] = [];

  function become(name: string | undefined) {
    if (reading === name) return;
    reading = name;
    for (const listener of listeners) listener();
  }
  function stop() {
    if (reading === undefined) return;
    utterances = [];
    synthesis?.cancel();
    become(undefined);
  }

  return {
    /** The name of what is being read. */
    reading: () => reading,
    canRead: (language: string) =>
      chooseVoice(synthesis?.getVoices() ?? [], language) !== undefined,

    /** Replaces what is being read. */
    read: (name: string, passages: readonly Passage[], rate = 1) => {
      stop();
      const voices = synthesis?.getVoices() ?? [];
      // A voice that fails once would also fail for the rest.
      const onerror = () => {
        if (utterances === mine) stop();
      };
      const mine: SpeechSynthesisUtterance[] = passages.flatMap(({ text, language }) => {
        const voice = chooseVoice(voices, language);
        if (!voice) return [];
        return [Object.assign(toUtterance(text), { voice, lang: voice.lang, rate, onerror })];
      });
      const last = mine.at(-1);
      if (!synthesis || !last) return;
      last.onend = () => {
        if (utterances === mine) become(undefined);
      };
      utterances = mine;
      become(name);
      // Clears what an earlier page has left in the queue.
      synthesis.cancel();
      for (const utterance of mine) synthesis.speak(utterance);
    },
    stop,

    /** Notifies of each start and end, and of voices that arrive late. */
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      synthesis?.addEventListener?.('voiceschanged', listener);
      return () => {
        listeners.delete(listener);
        synthesis?.removeEventListener?.('voiceschanged', listener);
      };
    },
  };
}

/** The page's reader. Without `cancel`, a browser goes on reading after the page is closed. */
export const reader = createReader(
  typeof window === 'undefined' || !('speechSynthesis' in window)
    ? undefined
    : window.speechSynthesis,
);
if (typeof window !== 'undefined') window.addEventListener('pagehide', () => reader.stop());
