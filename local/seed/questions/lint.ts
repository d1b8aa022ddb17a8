import { readdir } from 'node:fs/promises';
import { type BankFile, isPartial, type Language, LANGUAGES, sum, TOPICS } from './lint/bank.ts';
import { groupingFaults, twinsOf } from './lint/groups.ts';
import { nynorskFaults } from './lint/nynorsk.ts';
import { readBankFile } from './lint/shape.ts';
import { countHosts, sourceFaults, sourceWarnings } from './lint/sources.ts';
import { tagFaults } from './lint/tags.ts';
import { measureEcho, measureFile, together, wordingFaults } from './lint/wording.ts';

/** The report on a question bank. */
export interface LintResult {
  /** What to fix. */
  faults: string[];
  /** What to look at again. */
  warnings: string[];
  topics: TopicReport[];
  /** Lines on the whole bank. */
  figures: string[];
}

/** A topic: how many of its bokmål questions have what, and the figures of two files as "no/en". */
interface TopicReport {
  topic: string;
  questions: number;
  twins: number;
  /** Also in Nynorsk, in which only a part of the bank exists. */
  nynorsk: number;
  source: number;
  ages: number;
  pictures: number;
  'longest %': string;
  'tone %': string;
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
  faults.push(
    ...groupingFaults(files),
    ...wordingFaults(files),
    ...nynorskFaults(files),
    ...tagFaults(files),
    ...sourceFaults(files, today),
  );
  return {
    faults,
    warnings: sourceWarnings(files, today),
    topics: reportTopics(files),
    figures: [
      echoFigures(files),
      ...LANGUAGES.filter(isPartial).map((language) => partFigures(files, language)),
      hostFigures(files),
    ],
  };
}

/** Such as 2026-11-23. */
function todayInNorway(): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' }).format();
}

function reportTopics(files: BankFile[]): TopicReport[] {
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
      ages: questions.filter((question) => question.ages !== undefined).length,
      pictures: questions.filter((question) => question.image !== undefined).length,
      'longest %': figures.map((of) => percentage(of?.longest)).join('/'),
      'tone %': figures.map((of) => percentage(of?.tone)).join('/'),
      LIX: figures.map((of) => of?.lix?.toFixed(1) ?? '–').join('/'),
    };
  });
}

function echoFigures(files: BankFile[]): string {
  const figures = LANGUAGES.map((language) => measureEcho(files, language));
  return `Keys found by words of the question, %: ${figures.map(percentage).join('/')} (${LANGUAGES.join('/')})`;
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
  const { faults, warnings, topics, figures } = await lintQuestionBank(
    process.argv[2] ?? import.meta.dirname,
  );
  for (const fault of faults) console.error(fault);
  for (const warning of warnings) console.log(`warning: ${warning}`);
  console.log([...table(topics), ...figures].join('\n'));
  process.exitCode = faults.length > 0 ? 1 : 0;
}
