import {
  type BankFile,
  type Entry,
  faultAt,
  isPartial,
  type Language,
  LANGUAGES,
  MIN_SAMPLE,
  optionsOf,
  percent,
  type Question,
  sum,
  together,
  wordsOf,
} from './bank.ts';

// The form of the options must not tell which is the key: some learners look for that instead of reading.

/** With four options of equal quality, the key is the longest in at most 25 % of a file; 28 % allows for chance. */
const MAX_LONGEST = 0.28;
/** For a program that guesses by one trait of the options. Chance is 25 %. */
export const MAX_GUESSED = 0.29;

/** Beyond these ratios to the mean of the others a learner can find the key by its length alone. */
const MAX_LENGTH_RATIO = 1.6;
const MIN_LENGTH_RATIO = 0.6;
/** Years, names and other short keys vary too much in length for a ratio to mean anything. */
const SHORT_KEY = 12;

/** Learners read Norwegian at A2 to B1. LIX below 40 is easy to medium, above 60 it is for experts. */
const MAX_LIX: Record<Language, number> = { no: 40, en: 42, nn: 40 };
const MAX_LIX_OF_QUESTION = 60;
const LONG_WORD = 7;

/** "To the police" is no infinitive, but has no place among options without "to" either. */
const INFINITIVE: Record<Language, [marker: string, RegExp]> = {
  no: ['å', /^å\s/i],
  en: ['to', /^to\s/i],
  nn: ['å', /^å\s/i],
};

const ABSOLUTE: Record<Language, RegExp> = {
  no: words('bare', 'kun', 'alltid', 'aldri', 'ingen', 'alle'),
  en: words('only', 'always', 'never', 'no one', 'nobody', 'none', 'all', 'everyone'),
  nn: words('berre', 'alltid', 'aldri', 'ingen', 'inga', 'alle'),
};

/** A condition that begins with its verb ("Har du betalt, får du ...") is hard to tell from a question. */
const VERB_FIRST =
  /(?:^|[.:] )(?:Arbeider|Blir|Bor|Brukar|Bruker|Endrar|Endrer|Er|Flytter|Flyttar|Får|Går|Har|Haster|Hastar|Kan|Kjem|Kommer|Må|Mister|Mistar|Seier|Sier|Skal|Slutter|Sluttar|Står|Søker|Søkjer|Tar|Tek|Treng|Trenger|Vel|Velger|Vil) (?:du|dere|vi|de|den|det|ho|hun|han|en|ein|ett|eitt|ikke|ikkje|\p{Ll}+(?:en|et|ene|a|ane))(?: [^.?!:]+)?, [^.?!]+\./u;

/** Words of help, rights, bans and free choice: learners of a civics test know that they are often right. */
const TONE: Record<Language, RegExp> = {
  no: words(
    'hjelp(?:e|er|en)?',
    'rett (?:til|på)',
    'rettighet(?:er)?',
    'forbudt?',
    'ulovlige?',
    'straffbart?',
    'frivillige?',
    'gratis',
    'råd',
    'veiledning',
    'støtter?',
    'samtykke',
    'trygge?',
    'trygghet',
    'respekt(?:ere)?',
    'like',
    'selv(?! om)',
  ),
  en: words(
    'help(?:s|ed)?',
    'rights',
    'right to',
    'forbidden',
    'banned',
    'illegal',
    'punishable',
    'voluntary',
    'voluntarily',
    '(?<!-)free',
    'advice',
    'guidance',
    'support',
    'consent',
    'safe(?:ty)?',
    'respect',
    'equal(?:ly)?',
    'yourself',
  ),
  nn: words(
    'hjelp(?:e|er|a)?',
    'rett (?:til|på)',
    'rett(?:ar|ane)',
    'forbode?',
    'ulovlege?',
    'straffbart?',
    'frivillige?',
    'gratis',
    'råd',
    'rettleiing',
    'støtt(?:e|ar)',
    'samtykke',
    'trygge?',
    'tryggleik',
    'respekt(?:ere)?',
    'like',
    'sjølve?(?! om)',
  ),
};

function words(...alternatives: string[]): RegExp {
  return new RegExp(String.raw`(?<!\p{L})(?:${alternatives.join('|')})(?!\p{L})`, 'iu');
}

/** How a file reads and how far guessing gets in it, as shares; undefined with too few questions. */
export interface FileFigures {
  longest: number | undefined;
  tone: number | undefined;
  lix: number | undefined;
}

export function measureFile({ language, entries }: BankFile): FileFigures {
  return {
    longest: enough(entries) && entries.filter(isKeyLongest).length / entries.length,
    tone: enough(entries) && guessedShare(entries, (option) => hasTone(option, language)),
    lix: enough(entries) && lix(entries.map(({ question }) => readingText(question)).join(' ')),
  };
}

/** How often the option that repeats most words of the question is the key, in one language of the bank. */
export function measureEcho(files: BankFile[], language: Language): number | undefined {
  const { entries } = together(files, language);
  return (
    enough(entries) &&
    guessedShare(entries, (option, { question }) => {
      const stems = stemsOf(question);
      return stemsOf(option).intersection(stems).size;
    })
  );
}

/** How often the option with the most of tone and no absolute word is the key, in one language of the bank. */
export function measureTone(files: BankFile[], language: Language): number | undefined {
  const { entries } = together(files, language);
  return (
    enough(entries) &&
    guessedShare(entries, (option) => hasTone(option, language) - hasAbsolute(option, language))
  );
}

export function wordingFaults(files: BankFile[]): string[] {
  return [
    ...files.flatMap((file) => [
      ...file.entries.flatMap((entry) =>
        questionFaults(entry.question, file.language).map((fault) => faultAt(entry, fault)),
      ),
      ...(isPartial(file.language) ? [] : fileFaults(file)),
    ]),
    ...LANGUAGES.filter(isPartial).flatMap((language) => fileFaults(together(files, language))),
    ...LANGUAGES.flatMap((language) => [
      ...echoFaults(files, language),
      ...toneFaults(files, language),
    ]),
  ];
}

function questionFaults(question: Question, language: Language): string[] {
  return [
    ...lengthFaults(question),
    ...formFaults(question, language),
    ...absoluteFaults(question, language),
    ...(language !== 'en' &&
    [question.explanation, ...question.incorrect_reasons].some((text) => VERB_FIRST.test(text))
      ? [`a condition begins with its verb, not with "${language === 'nn' ? 'Viss' : 'Hvis'}"`]
      : []),
    ...(lix(readingText(question)) > MAX_LIX_OF_QUESTION
      ? [`LIX of question and explanation is above ${MAX_LIX_OF_QUESTION}`]
      : []),
  ];
}

function lengthFaults({ answer, incorrect }: Question): string[] {
  const ratio = answer.length / (sum(incorrect.map((option) => option.length)) / incorrect.length);
  if (answer.length < SHORT_KEY) return [];
  if (ratio > MAX_LENGTH_RATIO) {
    return [`answer is over ${MAX_LENGTH_RATIO} times the mean length of the others`];
  }
  return ratio < MIN_LENGTH_RATIO
    ? [`answer is under ${MIN_LENGTH_RATIO} times the mean length of the others`]
    : [];
}

function formFaults(question: Question, language: Language): string[] {
  const options = optionsOf(question);
  const faults: string[] = [];
  const [marker, infinitive] = INFINITIVE[language];
  if (differ(options, (option) => infinitive.test(option))) {
    faults.push(`only some options begin with "${marker}"`);
  }
  const withLetter = options.filter((option) => /^\p{L}/u.test(option));
  if (differ(withLetter, (option) => /^\p{Lu}/u.test(option))) {
    faults.push('only some options begin with a capital letter');
  }
  // Not after a digit, where it makes the number of a king or a day.
  if (options.some((option) => /(?<!\d)\.$/.test(option))) {
    faults.push('an option ends with a full stop');
  }
  return faults;
}

function differ(options: string[], trait: (option: string) => boolean): boolean {
  return options.some(trait) && !options.every(trait);
}

function absoluteFaults({ answer, incorrect }: Question, language: Language): string[] {
  const absolute = incorrect.filter((option) => ABSOLUTE[language].test(option));
  return absolute.length >= 2 && !ABSOLUTE[language].test(answer)
    ? ['absolute words (bare, alltid, only, never) in two wrong options and not in the key']
    : [];
}

function fileFaults(file: BankFile): string[] {
  const { longest = 0, tone = 0, lix = 0 } = measureFile(file);
  const faults: string[] = [];
  if (longest > MAX_LONGEST) {
    faults.push(`answer is the longest option in ${percent(longest)} of the questions`);
  }
  if (tone > MAX_GUESSED) {
    faults.push(
      `words of tone (hjelp, rett til, forbidden, free) find ${percent(tone)} of the keys, at most ${percent(MAX_GUESSED)}; ` +
        `only the key has one in ${toneGroups(file).join(', ')}`,
    );
  }
  if (lix > MAX_LIX[file.language]) faults.push(`LIX is ${lix.toFixed(1)}`);
  return faults.map((fault) => `${file.name}: ${fault}`);
}

function echoFaults(files: BankFile[], language: Language): string[] {
  const echo = measureEcho(files, language) ?? 0;
  return echo > MAX_GUESSED
    ? [`the option that repeats the question is the key in ${percent(echo)} (${language})`]
    : [];
}

function toneFaults(files: BankFile[], language: Language): string[] {
  const tone = measureTone(files, language) ?? 0;
  return tone > MAX_GUESSED
    ? [
        `the option with words of tone and no absolute word is the key in ${percent(tone)} (${language})`,
      ]
    : [];
}

/** The share of keys that a reader finds who picks the option with the highest score; ties are shared. */
function guessedShare(
  entries: Entry[],
  score: (option: string, question: Question) => number,
): number {
  const hits = entries.map(({ question }) => {
    const scores = optionsOf(question).map((option) => score(option, question));
    const best = Math.max(...scores);
    return scores[0] === best ? 1 / scores.filter((score) => score === best).length : 0;
  });
  return sum(hits) / entries.length;
}

export function hasTone(option: string, language: Language): number {
  return TONE[language].test(option) ? 1 : 0;
}

export function hasAbsolute(option: string, language: Language): number {
  return ABSOLUTE[language].test(option) ? 1 : 0;
}

function toneGroups({ entries, language }: BankFile): string[] {
  return entries
    .filter(({ question: { answer, incorrect } }) => {
      return TONE[language].test(answer) && !incorrect.some((option) => hasTone(option, language));
    })
    .map(({ question }) => question.group);
}

/** Four letters are as close to a stem as a program gets without a dictionary. */
function stemsOf(text: string): Set<string> {
  return new Set(
    wordsOf(text)
      .filter((word) => word.length >= 4)
      .map((word) => word.slice(0, 4)),
  );
}

function isKeyLongest({ question: { answer, incorrect } }: Entry): boolean {
  return incorrect.every((option) => answer.length > option.length);
}

function readingText({ question, explanation }: Question): string {
  return `${question} ${explanation}`;
}

/** LIX: words per sentence, plus the percentage of words with more than six letters. */
function lix(text: string): number {
  const found = wordsOf(text);
  const sentences = text.match(/[.?!:](?=\s|$)/g)?.length ?? 1;
  const long = found.filter((word) => word.length >= LONG_WORD).length;
  return found.length / sentences + (100 * long) / found.length;
}

function enough(entries: Entry[]): true | undefined {
  return entries.length >= MIN_SAMPLE || undefined;
}
