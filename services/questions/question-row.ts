import Compile from 'typebox/compile';
import {
  QuestionRow,
  type RowFaultReason,
  type RowWarningReason,
} from '@proveklar/contract/imports.ts';
import { isStorable } from '#database/is-storable.ts';
import { isTopicTooLong, RESERVED_TOPICS } from './topics.ts';

const validator = Compile(QuestionRow);

/** Why a row was rejected: the field, by its path in the row, and a stable reason. */
export interface RowFault {
  field: string;
  reason: RowFaultReason;
}

/** Checks one row of an import file. A row with any fault is rejected whole. */
export function checkRow(row: unknown): { row: QuestionRow } | { faults: RowFault[] } {
  if (!isStorable(row)) return { faults: [{ field: '', reason: 'unstorable' }] };
  if (!validator.Check(row)) return { faults: validator.Errors(row).flatMap(toFaults) };
  const faults = [...topicFaults(row), ...optionFaults(row)];
  return faults.length > 0 ? { faults } : { row };
}

/** A made-up field's name could be of any length; the report quotes this much. */
const MAX_FIELD_NAME = 60;

function toFaults(error: ReturnType<typeof validator.Errors>[number]): RowFault[] {
  const field = fieldOf(error.instancePath);
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({ field: name, reason: 'missing' }));
  }
  // Each unknown field is told of by itself: no value of it is right.
  if (error.keyword === 'additionalProperties') return [];
  if (error.keyword === 'boolean') {
    return [{ field: field.slice(0, MAX_FIELD_NAME), reason: 'unknown_field' }];
  }
  return [{ field, reason: reasonOf(error.keyword, field) }];
}

/** From a JSON pointer. */
function fieldOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}

const REASONS: Record<string, RowFaultReason> = {
  maxLength: 'too_long',
  minItems: 'too_few',
  maxItems: 'too_many',
};

const FIELD_REASONS: Record<string, RowFaultReason> = {
  language: 'language_code',
  source_url: 'not_a_web_address',
  checked_at: 'not_a_date',
  uuid: 'not_a_uuid',
};

function reasonOf(keyword: string, field: string): RowFaultReason {
  if (keyword === 'type') {
    if (field === '') return 'not_an_object';
    return field === 'incorrect' || field === 'tags' ? 'not_a_list' : 'not_text';
  }
  return REASONS[keyword] ?? FIELD_REASONS[field] ?? 'blank';
}

/** What is asked for in place of a topic is no topic. NFC can make a text longer. */
function topicFaults({ topic }: QuestionRow): RowFault[] {
  const tidy = tidyTopic(topic);
  if (isTopicTooLong(tidy)) return [{ field: 'topic', reason: 'too_long' }];
  return RESERVED_TOPICS.includes(tidy) ? [{ field: 'topic', reason: 'reserved_name' }] : [];
}

function optionFaults({ answer, incorrect, uuid }: QuestionRow): RowFault[] {
  const faults: RowFault[] = [];
  const texts = [answer, ...incorrect].map((text) => text.normalize('NFC').trim());
  if (new Set(texts).size !== texts.length) {
    faults.push({ field: 'incorrect', reason: 'same_twice' });
  }
  // The first segment of a time-ordered uuid is the same for a whole import: it cannot seed.
  if (uuid && uuid[14] !== '4') faults.push({ field: 'uuid', reason: 'uuid_not_random' });
  return faults;
}

/** A topic as it is stored: written the same way, it is the same topic. */
export function tidyTopic(topic: string): string {
  return topic.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

/** Every reason for which a row is rejected, and its words in the report that is downloaded. */
export const ROW_FAULTS = {
  missing: 'is missing',
  unknown_field: 'is not a known field',
  not_an_object: 'the row is not an object with fields',
  not_text: 'is not text',
  not_a_list: 'is not a list',
  blank: 'is blank',
  too_long: 'is too long',
  too_few: 'has too few entries',
  too_many: 'has too many entries',
  same_twice: 'has the same text twice, or the right answer',
  language_code: 'is not a language code such as no, en or sr-Latn',
  reserved_name: 'is a name that the service uses itself',
  not_a_date: 'is not a date such as 2026-01-31',
  not_a_web_address: 'is not an address that begins with https:// or http://',
  not_a_uuid: 'is not a uuid',
  uuid_not_random: 'is not a random (version 4) uuid',
  unstorable: 'the row has a character without meaning (NUL or half a pair)',
  not_utf8: 'the row is not UTF-8 text',
  too_large: 'the row is larger than 256 kB',
  too_deep: 'the row is nested too deeply',
} as const satisfies Record<RowFaultReason, string>;

/** Every warning about a row that went in, and its words in the same report. */
export const ROW_WARNINGS = {
  language_not_offered: 'is a language that learners are not offered',
} as const satisfies Record<RowWarningReason, string>;
