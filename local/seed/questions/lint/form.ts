import {
  type BankFile,
  type Entry,
  type Language,
  optionsOf,
  percent,
  type Question,
  sum,
  together,
  wordsOf,
} from './bank.ts';
import { hasAbsolute, hasTone } from './wording.ts';

// What the form of the options gives away. A reader who knows Norway recognizes facts in them, so that a measurement by
// people says little. This one knows nothing: it reads the options of the other topics with their keys, learns how keys
// look, and guesses the keys of a topic that it has not seen, by the options alone. What it finds, learners find too.
//
// It is a conditional logit, the usual model of a choice among alternatives: an option has a score, the sum of the
// weights of its features, and the probability of being the key is the softmax over the options of its question.

/** Of the keys. Chance is 25 %, because each question has four options. */
export const MAX_BY_FORM = 0.33;
/** From fewer questions little can be learned. */
const MIN_QUESTIONS = 100;

/** Words and groups of letters in fewer questions are about a subject, and are left out. */
const MIN_SEEN = 12;
const LETTERS = [3, 4];
/** An option has a hundred groups of letters and ten other features. */
const LETTERS_WEIGHT = 0.1;

const EPOCHS = 8;
const LEARNING_RATE = 0.1;
const DECAY = 0.003;

/** The features of an option: their names, and values of about -1 to 1. */
type Features = ReadonlyMap<string, number>;

/** A guess at a question by a reader who has learned from the other topics. */
export interface Guess {
  entry: Entry;
  slug: string;
  /** 1 for the key, 0 for another option; a share where options are alike. */
  hit: number;
  /** The probability that the reader gives to the key. */
  probability: number;
  /** What speaks for the key, and how much. */
  cues: [name: string, weight: number][];
}

/** Guesses at every question of a language; none in a bank that is too small. */
export function guessByForm(files: BankFile[], language: Language): Guess[] {
  const own = files.filter((file) => file.language === language);
  if (own.length < 2 || together(files, language).entries.length < MIN_QUESTIONS) return [];
  const items = own.flatMap(({ slug, entries }) =>
    entries.map((entry) => ({ slug, entry, features: featuresOf(entry.question, language) })),
  );
  const names = commonNames(items.map(({ features }) => features));
  const indexOf = new Map(names.map((name, index) => [name, index]));
  const coded = items.map((item) => ({
    ...item,
    options: item.features.map((features) => encode(features, indexOf)),
  }));
  return own.flatMap(({ slug }) => {
    const others = coded.filter((item) => item.slug !== slug);
    const weights = learn(
      others.map(({ options }) => options),
      names.length,
    );
    return coded
      .filter((item) => item.slug === slug)
      .map(({ entry, options }) => ({
        entry,
        slug,
        ...guess(options, weights),
        cues: cuesOf(options, weights, names),
      }));
  });
}

/** The share of the keys that the reader finds; undefined without guesses. */
export function shareFound(guesses: readonly Guess[]): number | undefined {
  return guesses.length === 0 ? undefined : sum(guesses.map(({ hit }) => hit)) / guesses.length;
}

export function formFaults(guesses: readonly Guess[], language: Language): string[] {
  const found = shareFound(guesses) ?? 0;
  return found > MAX_BY_FORM
    ? [
        `*.${language}.json: the form of the options finds ${percent(found)} of the keys, at most ${percent(MAX_BY_FORM)}: ` +
          'see the questions by `node local/seed/questions/lint.ts --cues 40`',
      ]
    : [];
}

/** The questions whose form gives most away, twins together, with what speaks for the key. */
export function describeCues(byLanguage: ReadonlyMap<Language, Guess[]>, count: number): string[] {
  const guesses = [...byLanguage].flatMap(([language, of]) =>
    of.map((one) => ({ ...one, language, group: one.entry.question.group })),
  );
  const byGroup = [...Map.groupBy(guesses, ({ group }) => group)].map(([group, twins]) => ({
    group,
    twins,
    probability: sum(twins.map(({ probability }) => probability)) / twins.length,
  }));
  return byGroup
    .toSorted((a, b) => b.probability - a.probability || (a.group < b.group ? -1 : 1))
    .slice(0, count)
    .flatMap(({ group, twins }) => [
      group,
      ...twins.flatMap(({ language, probability, cues, entry: { question } }) => [
        `  ${language} ${percent(probability)}: ${question.answer} | ${question.incorrect.join(' | ')}`,
        `     ${cues.map(([name, weight]) => `${name} ${weight.toFixed(2)}`).join(', ')}`,
      ]),
    ]);
}

const MARKS: readonly [string, RegExp][] = [
  ['a comma', /,/],
  ['a digit', /\d/],
  ['a dash', /[-–]/],
  ['parentheses', /[()]/],
  ['a quotation', /[«»"“”]/],
  ['several capitals', /\p{Lu}.*\s\p{Lu}/u],
  ['an abbreviation', /\p{Lu}{2}/u],
];

/** The features of each option, the key first. */
function featuresOf(question: Question, language: Language): Features[] {
  const options = optionsOf(question);
  const words = options.map(wordsOf);
  const letters = options.map(lettersOf);
  const lengths = options.map((option) => option.length);
  const wordCounts = words.map((of) => of.length);
  const wordLengths = words.map((of) => mean(of.map((word) => word.length)));
  const numbers = options.map(numberIn);
  return options.map((option, at) => {
    const own = words[at]!;
    const others = words.filter((_, other) => other !== at);
    const alike = (same: (of: string[]) => unknown) =>
      others.filter((of) => same(of) === same(own)).length / others.length;
    const features: [string, number][] = [
      ...rankFeatures('length', lengths, at),
      ['characters', relative(lengths, at)],
      ['words', relative(wordCounts, at)],
      ['characters a word', relative(wordLengths, at)],
      ['its longest word', Math.max(0, ...own.map((word) => word.length)) / 15],
      ['words that other options have', shareIn(own, others)],
      ['letters that other options have', 3 * mean(likeness(letters, at))],
      ['first word of other options', alike((of) => of[0])],
      ['last word of other options', alike((of) => of.at(-1))],
      ['tone', hasTone(option, language)],
      ['absolute', hasAbsolute(option, language)],
      ...MARKS.map(([name, mark]): [string, number] => [name, mark.test(option) ? 1 : 0]),
      ...(numbers.every((number) => number !== undefined) ? numberFeatures(numbers, at) : []),
      [`first "${own[0] ?? ''}"`, 1],
      ...own.map((word): [string, number] => [`"${word}"`, 1]),
      ...[...letters[at]!].map((group): [string, number] => [`…${group}…`, LETTERS_WEIGHT]),
    ];
    return new Map(features.filter(([, value]) => value !== 0));
  });
}

function rankFeatures(name: string, values: number[], at: number): [string, number][] {
  const rank = values.filter((value) => value < values[at]!).length;
  const isAlone = values.filter((value) => value === values[at]).length === 1;
  return [[`${name}, ${rank + 1} of ${values.length}`, isAlone ? 1 : 0]];
}

function numberFeatures(numbers: number[], at: number): [string, number][] {
  return [
    ...rankFeatures('number', numbers, at),
    ['number, divisible by 5', numbers[at]! % 5 === 0 ? 1 : 0],
    ['number, divisible by 10', numbers[at]! % 10 === 0 ? 1 : 0],
  ];
}

/** The first number, without separators of thousands: 1,5 and 1.5, 10 000 and 10,000. */
function numberIn(option: string): number | undefined {
  const [number] =
    option.replaceAll(/(?<=\d)[\s.,](?=\d{3}(?!\d))/g, '').match(/\d+(?:[.,]\d+)?/) ?? [];
  return number === undefined ? undefined : Number(number.replace(',', '.'));
}

/** How far a value is from the mean of its question: 0.5 is a quarter above. */
function relative(values: number[], at: number): number {
  const average = mean(values);
  return average === 0 ? 0 : 2 * (values[at]! / average - 1);
}

function shareIn(own: string[], others: string[][]): number {
  const distinct = [...new Set(own)];
  return mean(distinct.map((word) => (others.some((of) => of.includes(word)) ? 1 : 0)));
}

/** The Jaccard similarity to each other option. */
function likeness(sets: ReadonlySet<string>[], at: number): number[] {
  const own = sets[at]!;
  return sets
    .filter((_, other) => other !== at)
    .map((other) => own.intersection(other).size / Math.max(1, own.union(other).size));
}

function lettersOf(option: string): Set<string> {
  const text = ` ${option.toLowerCase()} `;
  return new Set(
    LETTERS.flatMap((size) =>
      Array.from({ length: Math.max(0, text.length - size + 1) }, (_, at) =>
        text.slice(at, at + size),
      ),
    ),
  );
}

function mean(values: number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

/** The names that enough questions have. */
function commonNames(questions: Features[][]): string[] {
  const counts = new Map<string, number>();
  for (const options of questions) {
    for (const name of new Set(options.flatMap((features) => [...features.keys()]))) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].filter(([, count]) => count >= MIN_SEEN).map(([name]) => name);
}

/** Features by index, sparse. */
type Option = { indexes: Int32Array; values: Float64Array };

function encode(features: Features, indexOf: ReadonlyMap<string, number>): Option {
  const kept = [...features].filter(([name]) => indexOf.has(name));
  return {
    indexes: Int32Array.from(kept, ([name]) => indexOf.get(name)!),
    values: Float64Array.from(kept, ([, value]) => value),
  };
}

/** Maximizes the likelihood of the keys by AdaGrad, in the order of the files: the same each time. */
function learn(questions: Option[][], size: number): Float64Array {
  const weights = new Float64Array(size);
  const squares = new Float64Array(size).fill(1e-3);
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (const options of questions) {
      const probabilities = softmax(options.map((option) => score(option, weights)));
      for (const [at, { indexes, values }] of options.entries()) {
        const error = probabilities[at]! - (at === 0 ? 1 : 0);
        for (const [place, index] of indexes.entries()) {
          const gradient = error * values[place]! + DECAY * weights[index]!;
          squares[index]! += gradient ** 2;
          weights[index]! -= (LEARNING_RATE * gradient) / Math.sqrt(squares[index]!);
        }
      }
    }
  }
  return weights;
}

function guess(options: Option[], weights: Float64Array): Pick<Guess, 'hit' | 'probability'> {
  const scores = options.map((option) => score(option, weights));
  const best = Math.max(...scores);
  const isFound = scores[0] === best;
  return {
    hit: isFound ? 1 / scores.filter((one) => one === best).length : 0,
    probability: softmax(scores)[0]!,
  };
}

function score({ indexes, values }: Option, weights: Float64Array): number {
  let total = 0;
  for (const [place, index] of indexes.entries()) total += weights[index]! * values[place]!;
  return total;
}

function softmax(scores: number[]): number[] {
  const highest = Math.max(...scores);
  const powers = scores.map((one) => Math.exp(one - highest));
  const total = sum(powers);
  return powers.map((power) => power / total);
}

const SHOWN_CUES = 5;

/** What raises the key's score above the mean of the others, most first. */
function cuesOf(options: Option[], weights: Float64Array, names: string[]): Guess['cues'] {
  const cues = new Map<string, number>();
  for (const [at, { indexes, values }] of options.entries()) {
    const share = at === 0 ? 1 : -1 / (options.length - 1);
    for (const [place, index] of indexes.entries()) {
      const name = names[index]!;
      cues.set(name, (cues.get(name) ?? 0) + share * weights[index]! * values[place]!);
    }
  }
  return [...cues].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN_CUES);
}
