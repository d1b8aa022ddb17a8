import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  type BankFile,
  isPartial,
  type Language,
  LANGUAGES,
  sum,
  together,
  TOPICS,
} from './lint/bank.ts';
import {
  describeCues,
  formFaults,
  type Guess,
  guessByForm,
  MAX_BY_FORM,
  shareFound,
} from './lint/form.ts';
import { groupingFaults, twinsOf } from './lint/groups.ts';
import { nynorskFaults } from './lint/nynorsk.ts';
import { readBankFile } from './lint/shape.ts';
import { countHosts, sourceFaults, sourceWarnings } from './lint/sources.ts';
import { tagFaults } from './lint/tags.ts';
import {
  MAX_GUESSED,
  measureEcho,
  measureFile,
  measureTone,
  wordingFaults,
} from './lint/wording.ts';

/** The report on a question bank. */
export interface LintResult {
  /** What to fix. */
  faults: string[];
  /** What to look at again. */
  warnings: string[];
  topics: TopicReport[];
  /** Lines on the whole bank. */
  figures: string[];
  counts: Counts;
  /** Of a reader who has learned how keys look, by language. */
  guesses: Map<Language, Guess[]>;
}

/** How many questions in bokmål have what. */
export interface Counts {
  questions: number;
  english: number;
  nynorsk: number;
  source: number;
  /** Of each wrong option, why it is wrong. */
  reasons: number;
  /** To choose a place in. */
  pictures: number;
  valid_from: number;
  ages: number;
}

/** A topic: how many of its bokmål questions have what, and the figures of two files as "no/en". */
interface TopicReport {
  topic: string;
  questions: number;
  twins: number;
  /** Also in Nynorsk, in which only a part of the bank exists. */
  nynorsk: number;
  source: number;
  reasons: number;
  ages: number;
  pictures: number;
  'longest %': string;
  'tone %': string;
  'form %': string;
  LIX: string;
}

/** Checks every question file in `dir`. The bank may be imported when `faults` is empty. */
export async function lintQuestionBank(dir: string, today = todayInNorway()): Promise<LintResult> {
  const faults: string[] = [];
  const files: BankFile[] = [];
  for (const name of (await readdir(dir)).filter((entry) => entry.endsWith('.json')).toSorted()) {
    const file = await readBankFile(dir, name, faults);
    if (file) files.push(file);
  }
  if (files.length === 0) faults.push(`${dir}: no question files`);
  const guesses = new Map(LANGUAGES.map((language) => [language, guessByForm(files, language)]));
  faults.push(
    ...groupingFaults(files),
    ...wordingFaults(files),
    ...nynorskFaults(files),
    ...tagFaults(files),
    ...sourceFaults(files, today),
    // A language in which a part exists has too few questions for a figure to be exact.
    ...LANGUAGES.filter((language) => !isPartial(language)).flatMap((language) =>
      formFaults(guesses.get(language)!, language),
    ),
  );
  const counts = countQuestions(files);
  return {
    faults,
    warnings: sourceWarnings(files, today),
    topics: reportTopics(files, guesses),
    figures: [
      countFigures(counts),
      ...unsourced(files),
      guessFigures('words of the question', MAX_GUESSED, (language) =>
        measureEcho(files, language),
      ),
      guessFigures('tone', MAX_GUESSED, (language) => measureTone(files, language)),
      guessFigures('the form of the options', MAX_BY_FORM, (language) =>
        shareFound(guesses.get(language)!),
      ),
      ...LANGUAGES.filter(isPartial).map((language) => partFigures(files, language)),
      hostFigures(files),
    ],
    counts,
    guesses,
  };
}

/** Such as 2026-11-23. */
function todayInNorway(): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' }).format();
}

/** The questions of the whole bank that have what the bank promises. */
function countQuestions(files: BankFile[]): Counts {
  const { entries } = together(files, 'no');
  const groupsOf = (language: Language) =>
    new Set(together(files, language).entries.map(({ question }) => question.group));
  const [english, nynorsk] = [groupsOf('en'), groupsOf('nn')];
  const count = (has: (question: (typeof entries)[number]['question']) => unknown) =>
    entries.filter(({ question }) => has(question)).length;
  return {
    questions: entries.length,
    english: count(({ group }) => english.has(group)),
    nynorsk: count(({ group }) => nynorsk.has(group)),
    source: count(({ source_url }) => source_url),
    reasons: count(({ incorrect, incorrect_reasons: reasons }) => {
      return reasons.length === incorrect.length;
    }),
    pictures: count(({ image, areas }) => image && areas),
    valid_from: count(({ valid_from }) => valid_from),
    ages: count(({ ages }) => ages),
  };
}

function countFigures(counts: Counts): string {
  return [
    `In bokmål: ${counts.questions}`,
    `also in English ${counts.english}`,
    `also in Nynorsk ${counts.nynorsk}`,
    `with a source ${counts.source}`,
    `with a reason for each wrong option ${counts.reasons}`,
    `with a picture to choose a place in ${counts.pictures}`,
    `with valid_from ${counts.valid_from}, with ages ${counts.ages}`,
  ].join(', ');
}

/** Questions whose source is to be found. */
function unsourced(files: BankFile[]): string[] {
  const groups = together(files, 'no')
    .entries.filter(({ question }) => question.source_url === undefined)
    .map(({ question }) => question.group);
  return groups.length === 0 ? [] : [`Without a source, to be checked: ${groups.join(', ')}`];
}

function reportTopics(files: BankFile[], guesses: ReadonlyMap<Language, Guess[]>): TopicReport[] {
  const norwegian = files.filter(({ language }) => language === 'no');
  return norwegian.map((file) => {
    const [english, nynorsk] = (['en', 'nn'] as const).map((code) =>
      files.find(({ slug, language }) => slug === file.slug && language === code),
    );
    const questions = file.entries.map(({ question }) => question);
    const figures = [file, english].map((of) => of && measureFile(of));
    return {
      topic: TOPICS[file.slug]!.no,
      questions: questions.length,
      twins: english ? twinsOf(file, english).length : 0,
      nynorsk: nynorsk ? twinsOf(file, nynorsk).length : 0,
      source: questions.filter((question) => question.source_url !== undefined).length,
      reasons: questions.filter(({ incorrect_reasons: reasons }) => reasons.length > 0).length,
      ages: questions.filter((question) => question.ages !== undefined).length,
      pictures: questions.filter((question) => question.image !== undefined).length,
      'longest %': figures.map((of) => percentage(of?.longest)).join('/'),
      'tone %': figures.map((of) => percentage(of?.tone)).join('/'),
      'form %': (['no', 'en'] as const)
        .map((code) => guesses.get(code)!.filter(({ slug }) => slug === file.slug))
        .map((of) => percentage(shareFound(of)))
        .join('/'),
      LIX: figures.map((of) => of?.lix?.toFixed(1) ?? '–').join('/'),
    };
  });
}

function guessFigures(
  by: string,
  most: number,
  measure: (language: Language) => number | undefined,
): string {
  const figures = LANGUAGES.map((language) => percentage(measure(language))).join('/');
  return `Keys found by ${by}, %: ${figures} (${LANGUAGES.join('/')}), at most ${Math.round(most * 100)}, by chance 25`;
}

function partFigures(files: BankFile[], language: Language): string {
  const part = together(files, language);
  const { longest, tone, lix } = measureFile(part);
  return [
    `Of the bank in ${language}: ${part.entries.length} of ${together(files, 'no').entries.length}`,
    `longest ${percentage(longest)} %`,
    `tone ${percentage(tone)} %`,
    `LIX ${lix?.toFixed(1) ?? '–'}`,
  ].join(', ');
}

function percentage(share: number | undefined): string {
  return share === undefined ? '–' : (share * 100).toFixed(1);
}

const SHOWN_HOSTS = 12;

function hostFigures(files: BankFile[]): string {
  const entries = files.filter(({ language }) => language === 'no').flatMap((file) => file.entries);
  const hosts = countHosts(entries);
  const shown = hosts.slice(0, SHOWN_HOSTS).map(([host, count]) => `${host} ${count}`);
  return [`Hosts of sources: ${hosts.length}`, ...shown].join(', ');
}

/** The names of the columns, a row for each topic, and the sums. */
function table(topics: TopicReport[]): string[] {
  const names = Object.keys(topics[0] ?? {});
  const rows = topics.map(Object.values);
  const sums = names.slice(1).map((_, at) => {
    const cells = rows.map((row) => row[at + 1]);
    return cells.every(Number.isInteger) ? sum(cells as number[]) : '';
  });
  return [names, ...rows, ['together', ...sums]].map((cells) =>
    cells
      .map((cell, at) => (at === 0 ? `${cell}`.padEnd(23) : `${cell}`.padStart(11)))
      .join('')
      .trimEnd(),
  );
}

if (import.meta.main) {
  // Another folder can be named, for questions that are not in the bank yet.
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { cues: { type: 'string' } },
  });
  const [dir = import.meta.dirname] = positionals;
  const { faults, warnings, topics, figures, guesses } = await lintQuestionBank(dir);
  for (const fault of faults) console.error(fault);
  for (const warning of warnings) console.log(`warning: ${warning}`);
  console.log([...table(topics), ...figures].join('\n'));
  // The questions whose form gives most away.
  if (values.cues) console.log(describeCues(guesses, Number(values.cues)).join('\n'));
  process.exitCode = faults.length > 0 ? 1 : 0;
}
