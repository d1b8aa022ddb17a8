import { ROW_TEXTS } from '@proveklar/services/imports/row-texts.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPictureFile } from '@proveklar/services/bank-releases/read-release.ts';
import {
  checkRow,
  readPicture,
  type RowFault,
} from '@proveklar/services/questions/question-row.ts';
import {
  type BankFile,
  fold,
  type Language,
  LANGUAGES,
  type Question,
  tidy,
  TOPICS,
} from './bank.ts';

const TEXT_FIELDS = ['language', 'topic', 'question', 'answer', 'explanation', 'group'] as const;
/** Fields that a question may leave out; the import's own rules apply to them. */
const OPTIONAL_FIELDS = new Set([
  'source_url',
  'source_title',
  'checked_at',
  'valid_from',
  'ages',
  'excludes',
  'image',
  'image_alt',
  'areas',
]);
const KNOWN_FIELDS = new Set<string>([
  ...TEXT_FIELDS,
  ...OPTIONAL_FIELDS,
  'incorrect',
  'incorrect_reasons',
  'tags',
]);
const DISTRACTORS = 3;

const FILE_NAME = new RegExp(String.raw`^(.+)\.(${LANGUAGES.join('|')})\.json$`);

/** Reads a file of the bank and adds to `faults` what is wrong with its name, its shape and its fields. */
export async function readBankFile(dir: string, name: string, faults: string[]) {
  const [, slug = '', language] = FILE_NAME.exec(name) ?? [];
  if (!Object.hasOwn(TOPICS, slug)) {
    faults.push(`${name}: the file name is not <topic-slug>.<${LANGUAGES.join(', ')}>.json`);
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
    const found = await shapeFaults(dir, item);
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

async function shapeFaults(dir: string, item: unknown): Promise<string[]> {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return ['not an object'];
  const fields = item as Record<string, unknown>;
  const unknown = Object.keys(fields).filter((key) => !KNOWN_FIELDS.has(key));
  return [
    ...unknown.map((key) => `unknown field "${key}"`),
    ...TEXT_FIELDS.flatMap((key) => textFaults(key, fields[key])),
    ...incorrectFaults(fields),
    ...reasonFaults(fields),
    ...tagFaults(fields),
    ...(await pictureFaults(dir, fields)),
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

/** The bank says of each wrong option why it is wrong, which the import leaves open. */
function reasonFaults({ incorrect_reasons: reasons }: Record<string, unknown>): string[] {
  if (!Array.isArray(reasons)) return ['incorrect_reasons is not an array'];
  const faults = reasons.flatMap((reason, index) =>
    textFaults(`incorrect_reasons[${index}]`, reason),
  );
  if (reasons.length !== DISTRACTORS) faults.push('incorrect_reasons has not exactly three texts');
  return faults;
}

function tagFaults({ tags }: Record<string, unknown>): string[] {
  if (tags === undefined) return [];
  if (!Array.isArray(tags)) return ['tags is not an array'];
  return tags.flatMap((tag, index) => textFaults(`tags[${index}]`, tag));
}

/** With larger ones, the first page of a phone on a slow network would wait. */
const MAX_PICTURE_BYTES = 60_000;

/** The faults of the optional fields, with the picture's own. */
async function pictureFaults(dir: string, fields: Record<string, unknown>): Promise<string[]> {
  const { image: name, ...others } = fields;
  if (typeof name !== 'string') return optionalFaults(fields);
  let image: string;
  try {
    image = await readPictureFile(dir, name);
  } catch (error) {
    return [`image ${name} cannot be read: ${(error as Error).message}`];
  }
  const faults = optionalFaults({ ...others, image });
  const read = await readPicture({ image });
  if ('faults' in read) faults.push(...read.faults.map(textOf));
  else if (read.image && read.image.content.length > MAX_PICTURE_BYTES) {
    const kilobytes = Math.ceil(read.image.content.length / 1000);
    faults.push(`image ${name} is larger than 60 kB: it has ${kilobytes} kB`);
  }
  return faults;
}

const textOf = ({ field, reason }: RowFault) => `${field} ${ROW_TEXTS.en.fault[reason]}`;

function optionalFaults(fields: Record<string, unknown>): string[] {
  const checked = checkRow(fields);
  const faults = 'faults' in checked ? checked.faults : [];
  return [
    ...faults.filter(({ field }) => OPTIONAL_FIELDS.has(field.split('.')[0]!)).map(textOf),
    ...strayFaults('image_alt', fields.image_alt),
    ...strayFaults('source_title', fields.source_title),
  ];
}

function strayFaults(key: string, text: unknown): string[] {
  return typeof text === 'string' && text.trim() !== '' ? textFaults(key, text) : [];
}
