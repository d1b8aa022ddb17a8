import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkRow, ROW_FAULTS } from '@proveklar/services/questions/question-row.ts';

/** The report on a question bank: the faults to fix, and the number of questions of each topic. */
export interface LintResult {
  faults: string[];
  counts: Record<string, number>;
}

type Language = 'no' | 'en';

interface Question {
  language: string;
  topic: string;
  question: string;
  answer: string;
  incorrect: string[];
  explanation: string;
  group: string;
  excludes?: string[];
}

interface BankFile {
  name: string;
  slug: string;
  language: Language;
  /** The entries of valid shape, each with its index in the file. */
  entries: { at: string; question: Question }[];
}

const TOPICS: Record<string, Record<Language, string>> = {
  historie: { no: 'Historie', en: 'History' },
  geografi: { no: 'Geografi', en: 'Geography' },
  'demokrati-og-lov': { no: 'Demokrati og lov', en: 'Democracy and law' },
  velferdsstaten: { no: 'Velferdsstaten', en: 'The welfare state' },
  arbeidsliv: { no: 'Arbeidsliv', en: 'Working life' },
  utdanning: { no: 'Utdanning', en: 'Education' },
  'familie-barn-og-helse': {
    no: 'Familie, barn og helse',
    en: 'Family, children and health',
  },
  'hverdagsliv-og-verdier': {
    no: 'Hverdagsliv og verdier',
    en: 'Everyday life and values',
  },
};

const TEXT_FIELDS = ['language', 'topic', 'question', 'answer', 'explanation', 'group'] as const;
/** Fields that a question may leave out; the import's own rules apply to them. */
const OPTIONAL_FIELDS = new Set([
  'incorrect_reasons',
  'source_url',
  'source_title',
  'checked_at',
  'valid_from',
  'ages',
  'excludes',
]);
const KNOWN_FIELDS = new Set<string>([...TEXT_FIELDS, ...OPTIONAL_FIELDS, 'incorrect', 'tags']);
const DISTRACTORS = 3;

/** With four options of equal quality, the key is the longest in 25 % of a file; 35 % allows for chance. */
const MAX_LONGEST_SHARE = 0.35;
/** Above this ratio a learner can find the key by its length alone. */
const LENGTH_RATIO = 1.6;
/** Years, names and other short keys vary too much in length for the ratio to mean anything. */
const SHORT_KEY = 20;

/** Checks every question file in `dir`. The bank may be imported when `faults` is empty. */
export async function lintQuestionBank(dir: string): Promise<LintResult> {
  const faults: string[] = [];
  const files: BankFile[] = [];
  for (const name of (await readdir(dir)).filter((entry) => entry.endsWith('.json')).toSorted()) {
    const file = await readBankFile(dir, name, faults);
    if (file) files.push(file);
  }
  if (files.length === 0) faults.push(`${dir}: no question files`);
  for (const file of files) {
    faults.push(...placeFaults(file), ...groupFaults(file), ...lengthFaults(file));
  }
  faults.push(...duplicateFaults(files), ...twinFaults(files), ...excludesFaults(files));
  return { faults, counts: countByTopic(files) };
}

async function readBankFile(dir: string, name: string, faults: string[]) {
  const [, slug = '', language] = /^(.+)\.(no|en)\.json$/.exec(name) ?? [];
  if (!Object.hasOwn(TOPICS, slug)) {
    faults.push(`${name}: the file name is not <topic-slug>.no.json or <topic-slug>.en.json`);
    return undefined;
  }
  const items = parseArray(await readFile(join(dir, name), 'utf8'));
  if (!items) {
    faults.push(`${name}: not a JSON array`);
    return undefined;
  }
  const file: BankFile = { name, slug, language: language as Language, entries: [] };
  for (const [index, item] of items.entries()) {
    const at = `${name}[${index}]`;
    const found = shapeFaults(item);
    faults.push(...found.map((fault) => `${at}: ${fault}`));
    if (found.length === 0) file.entries.push({ at, question: item as Question });
  }
  return file;
}

function parseArray(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function shapeFaults(item: unknown): string[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return ['not an object'];
  const fields = item as Record<string, unknown>;
  const unknown = Object.keys(fields).filter((key) => !KNOWN_FIELDS.has(key));
  return [
    ...unknown.map((key) => `unknown field "${key}"`),
    ...TEXT_FIELDS.flatMap((key) => textFaults(key, fields[key])),
    ...incorrectFaults(fields),
    ...tagFaults(fields),
    ...optionalFaults(fields),
  ];
}

function textFaults(key: string, value: unknown): string[] {
  if (value === undefined) return [`missing ${key}`];
  if (typeof value !== 'string') return [`${key} is not a string`];
  if (value.trim() === '') return [`${key} is blank`];
  // Stray spaces or decomposed letters would be visible on the page and break the import's comparison.
  if (value !== tidy(value)) return [`${key} has stray spaces or is not NFC`];
  return [];
}

function incorrectFaults({ answer, incorrect }: Record<string, unknown>): string[] {
  if (!Array.isArray(incorrect)) return ['incorrect is not an array'];
  const faults = incorrect.flatMap((option, index) => textFaults(`incorrect[${index}]`, option));
  if (incorrect.length !== DISTRACTORS) faults.push('incorrect has not exactly three options');
  if (faults.length > 0) return faults;
  const folded = incorrect.map((option) => fold(option));
  if (new Set(folded).size < folded.length) faults.push('incorrect repeats an option');
  if (typeof answer === 'string' && folded.includes(fold(answer))) {
    faults.push('incorrect contains the answer');
  }
  return faults;
}

function tagFaults({ tags }: Record<string, unknown>): string[] {
  if (tags === undefined) return [];
  if (!Array.isArray(tags)) return ['tags is not an array'];
  return tags.flatMap((tag, index) => textFaults(`tags[${index}]`, tag));
}

function optionalFaults(fields: Record<string, unknown>): string[] {
  const checked = checkRow(fields);
  const faults = 'faults' in checked ? checked.faults : [];
  return [
    ...faults
      .filter(({ field }) => OPTIONAL_FIELDS.has(field.split('.')[0]!))
      .map(({ field, reason }) => `${field} ${ROW_FAULTS[reason]}`),
    ...strayFaults('source_title', fields.source_title),
    ...[fields.incorrect_reasons]
      .flat()
      .flatMap((reason, place) => strayFaults(`incorrect_reasons.${place}`, reason)),
  ];
}

function strayFaults(key: string, text: unknown): string[] {
  return typeof text === 'string' && text.trim() !== '' ? textFaults(key, text) : [];
}

function placeFaults({ slug, language, entries }: BankFile): string[] {
  const topic = TOPICS[slug]?.[language] ?? '';
  return entries.flatMap(({ at, question }) => {
    const faults: string[] = [];
    if (question.language !== language) faults.push(`${at}: language is not "${language}"`);
    if (question.topic !== topic) faults.push(`${at}: topic is not "${topic}"`);
    // The prefix keeps the groups of different topics distinct.
    if (!isGroupOf(slug, question.group)) faults.push(`${at}: group is not "${slug}-<number>"`);
    return faults;
  });
}

function isGroupOf(slug: string, group: string): boolean {
  return group.startsWith(`${slug}-`) && /^\d{3}$/.test(group.slice(slug.length + 1));
}

function groupFaults({ entries }: BankFile): string[] {
  const seen = new Map<string, string>();
  return entries.flatMap(({ at, question: { group } }) => {
    const first = seen.get(group);
    if (first) return [`${at}: repeats group "${group}" of ${first}`];
    seen.set(group, at);
    return [];
  });
}

function lengthFaults({ name, entries }: BankFile): string[] {
  const faults = entries
    .filter(({ question }) => isKeyConspicuous(question))
    .map(({ at }) => `${at}: answer is over ${LENGTH_RATIO} times the mean length of the others`);
  const longest = entries.filter(({ question }) => isKeyLongest(question)).length;
  if (longest > entries.length * MAX_LONGEST_SHARE) {
    const share = Math.round((longest / entries.length) * 100);
    faults.push(`${name}: answer is the longest option in ${share} % of the questions`);
  }
  return faults;
}

function isKeyConspicuous({ answer, incorrect }: Question): boolean {
  const mean = incorrect.reduce((sum, option) => sum + option.length, 0) / incorrect.length;
  return answer.length > SHORT_KEY && answer.length > mean * LENGTH_RATIO;
}

function isKeyLongest({ answer, incorrect }: Question): boolean {
  return incorrect.every((option) => answer.length > option.length);
}

function duplicateFaults(files: BankFile[]): string[] {
  const seen = new Map<string, string>();
  return files.flatMap((file) =>
    file.entries.flatMap(({ at, question }) => {
      const key = `${file.language} ${fold(question.question)}`;
      const first = seen.get(key);
      if (first) return [`${at}: same question as ${first}`];
      seen.set(key, at);
      return [];
    }),
  );
}

/** A topic may lack an English file, because English is written after Norwegian. */
function twinFaults(files: BankFile[]): string[] {
  return files
    .filter((file) => file.language === 'en')
    .flatMap((english) => {
      const norwegian = files.find((file) => file.slug === english.slug && file.language === 'no');
      if (!norwegian) return [`${english.name}: no Norwegian file for the same topic`];
      return [...missingTwins(norwegian, english), ...missingTwins(english, norwegian)];
    });
}

function missingTwins(from: BankFile, to: BankFile): string[] {
  const groups = new Set(to.entries.map(({ question }) => question.group));
  return from.entries
    .filter(({ question }) => !groups.has(question.group))
    .map(({ at, question }) => `${at}: group "${question.group}" has no twin in ${to.name}`);
}

/** In each language the same two groups exclude each other: a draw reads the list of either. */
function excludesFaults(files: BankFile[]): string[] {
  const entries = files.flatMap((file) => file.entries);
  const byGroup = Map.groupBy(entries, ({ question }) => question.group);
  return entries.flatMap(({ at, question: { group, excludes = [] } }) =>
    excludes.flatMap((other) => {
      if (other === group) return [`${at}: excludes its own group`];
      const others = byGroup.get(other);
      if (!others) return [`${at}: excludes "${other}", which is no group`];
      return others
        .filter(({ question }) => !question.excludes?.includes(group))
        .map((missing) => `${missing.at}: does not exclude "${group}", which excludes it`);
    }),
  );
}

function countByTopic(files: BankFile[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { question } of files.flatMap((file) => file.entries)) {
    counts[question.topic] = (counts[question.topic] ?? 0) + 1;
  }
  return counts;
}

function tidy(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
}

function fold(text: string): string {
  return tidy(text).toLowerCase();
}

if (import.meta.main) {
  const { faults, counts } = await lintQuestionBank(import.meta.dirname);
  for (const fault of faults) console.error(fault);
  const summary = Object.entries(counts).map(([topic, count]) => `${topic}: ${count}`);
  console.log(summary.join(' | '));
  process.exitCode = faults.length > 0 ? 1 : 0;
}
