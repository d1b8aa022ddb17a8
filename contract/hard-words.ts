// Finds the words of the glossary in a text. It is shared by the browser, which marks them, and the check of the
// demo's glossary; so it imports nothing.

/**
 * What the glossary can hold: words of letters and digits, with single spaces or hyphens between them. Texts are
 * searched word by word, so nothing else would be found.
 */
export const GLOSSARY_WORD = /^[\p{L}\p{M}\p{N}]+(?:[ -][\p{L}\p{M}\p{N}]+)*$/u;

export interface HardWord {
  word: string;
  /** Inflected forms. */
  forms: string[];
  /** What it means, in plain Norwegian and in English. */
  norwegian: string;
  english: string;
}

export interface WordIndex {
  /** By word and form, in NFC and lower case. */
  byForm: ReadonlyMap<string, HardWord>;
  /** Words of the longest form. */
  longest: number;
}

/** A hard word in a text, from `start` up to `end`. */
export interface FoundWord {
  start: number;
  end: number;
  entry: HardWord;
}

export function indexWords(entries: readonly HardWord[]): WordIndex {
  const byForm = new Map<string, HardWord>();
  for (const entry of entries) {
    for (const form of [entry.word, ...entry.forms]) byForm.set(keyOf(form), entry);
  }
  const counts = [...byForm.keys()].map((form) => form.split(' ').length);
  return { byForm, longest: Math.max(0, ...counts) };
}

function keyOf(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A word with its hyphens: a compound such as `EØS-avtalen` is one word. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*/gu;

/**
 * Finds the hard words of a text in any case: whole words only, so that a compound is found only when it is a
 * form, and the longest form where several begin at the same word.
 */
export function findWords(text: string, { byForm, longest }: WordIndex): FoundWord[] {
  const words = [...text.matchAll(WORD)].map((match) => ({
    key: keyOf(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
  const found: FoundWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    for (let count = Math.min(longest, words.length - at); count > 0; count -= 1) {
      const run = words.slice(at, at + count);
      const entry = byForm.get(run.map(({ key }) => key).join(' '));
      if (!entry || !isUnbroken(text, run)) continue;
      found.push({ start: run[0]!.start, end: run.at(-1)!.end, entry });
      at += count - 1;
      break;
    }
  }
  return found;
}

/** Whether only spaces are between the words: a comma ends a form. */
function isUnbroken(text: string, words: readonly { start: number; end: number }[]): boolean {
  return words
    .slice(1)
    .every(({ start }, index) => text.slice(words[index]!.end, start).trim() === '');
}

interface AskedQuestion {
  question: string;
  options: readonly string[];
}

/**
 * The hard words that can be explained before the answer without giving it away. Which option is right is not
 * known here, so the rules look at all options alike. Left out are
 *
 * - the word that the question asks for: "Hva er en referanse når du søker jobb?"
 * - the words of all options where one of them is only such a word ("Skatteetaten"): which of them fits is then
 *   the question,
 * - a word of the question whose explanation has more in common with some options than with others, and the words
 *   of all options where the explanation of one of them has something in common with the question.
 */
export function safeWords({ question, options }: AskedQuestion, index: WordIndex) {
  const stems = options.map(stemsOf);
  const pointsAtOption = ({ entry }: FoundWord) => {
    const shared = stems.map((option) => overlap(stemsOf(entry.norwegian), option));
    return shared.some((count) => count !== shared[0]);
  };
  const inOptions = options.map((option) => findWords(option, index));
  const isTerm = options.some((option, at) => isOnly(option, inOptions[at]!));
  const entries = [...new Set(inOptions.flat().map(({ entry }) => entry))];
  const asked = stemsOf(question);
  const pointsAtQuestion = (entry: HardWord) => overlap(stemsOf(entry.norwegian), asked) > 0;
  return {
    question: notAskedFor(question, findWords(question, index)).filter(
      (word) => !pointsAtOption(word),
    ),
    options: isTerm || entries.some(pointsAtQuestion) ? [] : entries,
  };
}

/** "Hva er …" and "Hva betyr …" ask for their first hard word. */
const ASKS_FOR_MEANING = /^\s*hva (?:er|var|betyr|menes)(?!\p{L})/iu;

function notAskedFor(question: string, found: FoundWord[]): FoundWord[] {
  if (isOnly(question, found)) return [];
  return ASKS_FOR_MEANING.test(question) ? found.slice(1) : found;
}

/** Words that say nothing about the subject of a question, of an option or of an explanation. */
const EMPTY_WORDS = new Set(
  (
    'alle andre at av ble blir bruker brukes bør da de deg den der det dette din ditt dine du eksempel eller en er et ' +
    'for fordi formålet fra får før gir gjelder gjør gjøre gå går ha hadde han handler har hva hvem hver hvert hvilke ' +
    'hvilken hvilket hvis hvor hvordan hvorfor hun i ikke ja jobb jobben kalles kan kjent kommer kunne man mange med ' +
    'men menes mer mot må ned nei noe noen norge norges norsk norske ny nye nær når og også om oppgave oppgaven ' +
    'oppgaver hovedoppgaven over på riktig selv sier sin sitt sine skal som til typisk under uten ut var ved være ' +
    'vanlig vanligvis viktig viktigste viser å'
  ).split(' '),
);

/** Whether a text has hard words and, beside them, only empty words and numbers. */
function isOnly(text: string, found: readonly FoundWord[]): boolean {
  const rest = [...text.matchAll(WORD)].filter(
    ({ index }) => !found.some(({ start, end }) => index >= start && index < end),
  );
  const isEmpty = (word: string) => /^\d+$/.test(word) || EMPTY_WORDS.has(keyOf(word));
  return found.length > 0 && rest.every(([word]) => isEmpty(word));
}

/** First letters by which inflected forms of a word are alike. */
const STEM_LENGTH = 5;

function stemsOf(text: string): Set<string> {
  const words = [...text.matchAll(WORD)].map(([word]) => keyOf(word));
  const full = words.filter((word) => word.length > 2 && !EMPTY_WORDS.has(word));
  return new Set(full.map((word) => word.slice(0, STEM_LENGTH)));
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((stem) => b.has(stem)).length;
}
