import { questionTag } from './question-language.ts';

/** What is said in one breath, in the language it is written in. */
export type Passage = { text: string; language: string };

/** As much of the browser's speech synthesis as is used. Older Safari cannot be listened to. */
export type Synthesis = Pick<SpeechSynthesis, 'getVoices' | 'speak' | 'cancel'> &
  Partial<Pick<SpeechSynthesis, 'addEventListener' | 'removeEventListener'>>;

/** Tags of voices that can read a language, the best first; every other language has its own only. */
const TAGS: Record<string, string[]> = {
  nb: ['nb-no', 'nb', 'no-no', 'no', 'nn-no', 'nn'],
  en: ['en-gb', 'en-us', 'en'],
};

const tagOf = ({ lang }: SpeechSynthesisVoice) => lang.toLowerCase().replaceAll('_', '-');

/**
 * The voice to read a language with. One that is on the machine goes before one that would have the
 * text sent to the browser's maker.
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
    // The same language of elsewhere.
    return tagOf(voice).startsWith(`${tag}-`) ? tags.length : Infinity;
  };
  return voices
    .filter((voice) => rank(voice) < Infinity)
    .toSorted((a, b) => Number(b.localService) - Number(a.localService) || rank(a) - rank(b))[0];
}

/**
 * Reads aloud, one thing at a time; what is being read has a name. Each passage is an utterance of its
 * own: some voices give up after a quarter of a minute.
 *
 * @param synthesis undefined where the browser has none: then nothing can be read
 */
export function createReader(
  synthesis: Synthesis | undefined,
  toUtterance = (text: string) => new SpeechSynthesisUtterance(text),
) {
  const listeners = new Set<() => void>();
  let reading: string | undefined;
  // Referred to until they are over: else a browser may clear them away, and their end with them.
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

    /** In place of what was being read. */
    read: (name: string, passages: readonly Passage[], rate = 1) => {
      stop();
      const voices = synthesis?.getVoices() ?? [];
      // A voice that fails once would fail at the rest, too.
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
      // What a page before this one left in the queue.
      synthesis.cancel();
      for (const utterance of mine) synthesis.speak(utterance);
    },
    stop,

    /** Tells of a beginning and an end, and of voices, which may arrive late. */
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

/** The page's own. A browser goes on reading after its page is gone, unless it is told. */
export const reader = createReader(
  typeof window === 'undefined' || !('speechSynthesis' in window)
    ? undefined
    : window.speechSynthesis,
);
if (typeof window !== 'undefined') window.addEventListener('pagehide', () => reader.stop());
