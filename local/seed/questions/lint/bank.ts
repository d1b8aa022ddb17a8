/** What the rules of the question bank have in common. */

/** Norwegian first: the others are translations of it. */
export const LANGUAGES = ['no', 'en', 'nn'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Languages in which only a part of the bank exists. Their files are small, so they are measured together. */
const PARTIAL: ReadonlySet<Language> = new Set<Language>(['nn']);

export const isPartial = (language: Language): boolean => PARTIAL.has(language);

export interface Question {
  language: string;
  topic: string;
  question: string;
  answer: string;
  incorrect: string[];
  incorrect_reasons: string[];
  explanation: string;
  group: string;
  tags?: string[];
  source_url?: string;
  source_title?: string;
  checked_at?: string;
  valid_from?: string;
  ages?: number;
  excludes?: string[];
  /** Of a file, such as images/kart.svg. */
  image?: string;
  image_alt?: string;
  areas?: { name: string; shape: string }[];
}

/** A question of valid shape, with its file and its index there. */
export interface Entry {
  at: string;
  question: Question;
}

export interface BankFile {
  name: string;
  slug: string;
  language: Language;
  entries: Entry[];
}

export const TOPICS: Record<string, Record<Language, string>> = {
  historie: { no: 'Historie', en: 'History', nn: 'Historie' },
  geografi: { no: 'Geografi', en: 'Geography', nn: 'Geografi' },
  'demokrati-og-lov': { no: 'Demokrati og lov', en: 'Democracy and law', nn: 'Demokrati og lov' },
  velferdsstaten: { no: 'Velferdsstaten', en: 'The welfare state', nn: 'Velferdsstaten' },
  arbeidsliv: { no: 'Arbeidsliv', en: 'Working life', nn: 'Arbeidsliv' },
  utdanning: { no: 'Utdanning', en: 'Education', nn: 'Utdanning' },
  'familie-barn-og-helse': {
    no: 'Familie, barn og helse',
    en: 'Family, children and health',
    nn: 'Familie, barn og helse',
  },
  'hverdagsliv-og-verdier': {
    no: 'Hverdagsliv og verdier',
    en: 'Everyday life and values',
    nn: 'Kvardagsliv og verdiar',
  },
};

/** The questions of a language, as if they were in one file. */
export function together(files: BankFile[], language: Language): BankFile {
  const entries = files
    .filter((file) => file.language === language)
    .flatMap((file) => file.entries);
  return { name: `*.${language}.json`, slug: '', language, entries };
}

/** A share of fewer questions says little. */
export const MIN_SAMPLE = 20;

/** A fault for the report, with the group by which authors know the question. */
export function faultAt({ at, question }: Entry, fault: string): string {
  return `${at} (${question.group}): ${fault}`;
}

/** The options with the key first. */
export function optionsOf({ answer, incorrect }: Question): string[] {
  return [answer, ...incorrect];
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

export function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export function tidy(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
}

export function fold(text: string): string {
  return tidy(text).toLowerCase();
}
