import Compile from 'typebox/compile';
import {
  QuestionRow,
  type RowFaultReason,
  type RowWarningReason,
} from '@proveklar/contract/imports.ts';
import { MAX_IMAGE_LENGTH } from '@proveklar/contract/limits.ts';
import { isStorable } from '#database/is-storable.ts';
import { type FindImage, readImage, type StoredImage } from '#images/read-image.ts';
import { isTopicTooLong, RESERVED_TOPICS } from './topics.ts';

const validator = Compile(QuestionRow);

/** Why a row was rejected: the path of the field in the row, and a stable reason. */
export interface RowFault {
  field: string;
  reason: RowFaultReason;
}

/**
 * Validates a row of an import file. A row with any fault is rejected as a whole. Its picture is read by
 * `readPicture`.
 */
export function checkRow(row: unknown): { row: QuestionRow } | { faults: RowFault[] } {
  if (!isStorable(row)) return { faults: [{ field: '', reason: 'unstorable' }] };
  if (!validator.Check(row)) return { faults: validator.Errors(row).flatMap(toFaults) };
  const faults = [
    ...topicFaults(row),
    ...optionFaults(row),
    ...reasonFaults(row),
    ...pictureFaults(row),
  ];
  return faults.length > 0 ? { faults } : { row };
}

/** An unknown field's name can have any length; the report quotes this many characters. */
const MAX_FIELD_NAME_LENGTH = 60;

function toFaults(error: ReturnType<typeof validator.Errors>[number]): RowFault[] {
  const field = fieldOf(error.instancePath);
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({ field: name, reason: 'missing' }));
  }
  // Each unknown field has an error of its own (keyword 'boolean'), which names it.
  if (error.keyword === 'additionalProperties') return [];
  if (error.keyword === 'boolean') {
    return [{ field: field.slice(0, MAX_FIELD_NAME_LENGTH), reason: 'unknown_field' }];
  }
  // A reason may be text or null: of both errors, and the one of the union, the one about the text is listed.
  if (error.keyword === 'anyOf' || (error.keyword === 'type' && error.params.type === 'null'))
    return [];
  return [{ field, reason: reasonOf(error.keyword, field) }];
}

/** The path of a field, from a JSON pointer. */
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
  valid_from: 'not_a_date',
  ages: 'not_a_year',
  uuid: 'not_a_uuid',
  image: 'not_an_image',
};

const LISTS = new Set(['incorrect', 'incorrect_reasons', 'excludes', 'tags', 'areas']);
const AREA = /^areas\.\d+$/;
const SHAPE = /^areas\.\d+\.shape$/;

function reasonOf(keyword: string, field: string): RowFaultReason {
  if (keyword === 'type') {
    if (field === '') return 'not_an_object';
    if (LISTS.has(field)) return 'not_a_list';
    if (AREA.test(field)) return 'not_an_object';
    return field === 'ages' ? 'not_a_year' : 'not_text';
  }
  if (SHAPE.test(field)) return 'not_a_shape';
  if (field === 'image' && keyword === 'maxLength') return 'image_too_large';
  return REASONS[keyword] ?? FIELD_REASONS[field] ?? 'blank';
}

/** Rejects reserved names and topics that are too long after NFC, which can make a text longer. */
function topicFaults({ topic }: QuestionRow): RowFault[] {
  const normalized = normalizeTopic(topic);
  if (isTopicTooLong(normalized)) return [{ field: 'topic', reason: 'too_long' }];
  return RESERVED_TOPICS.includes(normalized) ? [{ field: 'topic', reason: 'reserved_name' }] : [];
}

function optionFaults({ answer, incorrect, uuid }: QuestionRow): RowFault[] {
  const faults: RowFault[] = [];
  const texts = [answer, ...incorrect].map((text) => text.normalize('NFC').trim());
  if (new Set(texts).size !== texts.length) {
    faults.push({ field: 'incorrect', reason: 'same_twice' });
  }
  // The first segment seeds the order of the options. In a time-ordered uuid it would be the same for a
  // whole import.
  if (uuid && uuid[14] !== '4') faults.push({ field: 'uuid', reason: 'uuid_not_random' });
  return faults;
}

function reasonFaults({ incorrect, incorrect_reasons: reasons }: QuestionRow): RowFault[] {
  if (!reasons || reasons.length === incorrect.length) return [];
  return [{ field: 'incorrect_reasons', reason: 'not_as_many' }];
}

/** A picture has its text, and one area for each option or none. */
function pictureFaults({ answer, incorrect, image, image_alt: alt, areas }: QuestionRow) {
  const faults: RowFault[] = [];
  if (image === undefined) {
    if (alt !== undefined) faults.push({ field: 'image_alt', reason: 'needs_image' });
    if (areas !== undefined) faults.push({ field: 'areas', reason: 'needs_image' });
    return faults;
  }
  if (alt === undefined) faults.push({ field: 'image_alt', reason: 'missing' });
  if (areas && !isEachOnce(areas, [answer, ...incorrect])) {
    faults.push({ field: 'areas', reason: 'not_the_options' });
  }
  return faults;
}

function isEachOnce(areas: readonly { name: string }[], options: readonly string[]): boolean {
  const names = new Set(areas.map(({ name }) => name));
  return areas.length === options.length && options.every((option) => names.has(option));
}

/**
 * Reads the picture of a valid row; null when it has none.
 *
 * @param find finds a picture that the bank has already
 */
export async function readPicture(
  { image }: Pick<QuestionRow, 'image'>,
  find?: FindImage,
): Promise<{ image: StoredImage | null } | { faults: RowFault[] }> {
  if (image === undefined) return { image: null };
  const read = await readImage(image, find);
  if ('image' in read) return read;
  const { reason, part } = read.fault;
  return { faults: [{ field: part === undefined ? 'image' : `image.${part}`, reason }] };
}

/** The reasons as they are stored: none instead of a list of nulls. */
export function tidyReasons(
  reasons: QuestionRow['incorrect_reasons'] | null,
): (string | null)[] | null {
  return reasons?.some((reason) => reason !== null) ? reasons : null;
}

/** A topic as it is stored: in NFC, with single spaces. */
export function normalizeTopic(topic: string): string {
  return topic.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

/** The reasons for which a row is rejected, with their texts in the downloaded report. */
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
  not_a_year: 'is not a year from 2000 to 2999',
  not_as_many: 'has not as many entries as there are wrong answers',
  not_a_web_address: 'is not an address that begins with https:// or http://',
  not_a_uuid: 'is not a uuid',
  uuid_not_random: 'is not a random (version 4) uuid',
  needs_image: 'is only for a question with an image: add `image`, or leave this out',
  not_an_image: 'is not an SVG, PNG or JPEG as a data URI (data:image/png;base64,…)',
  image_too_large: `is larger than ${MAX_IMAGE_LENGTH / 1024 ** 2} MB as a data URI: make the picture smaller`,
  image_damaged: 'is damaged, or not what its type says: save the picture again',
  image_dimensions:
    'has unsuitable dimensions: a PNG or JPEG has sides of 16 to 4000 pixels and at most 2 million pixels, an SVG needs a viewBox or width and height, and no side is longer than 8 times the other',
  png_interlaced: 'is an interlaced PNG: save it without interlacing',
  not_an_svg: 'does not begin with <svg xmlns="http://www.w3.org/2000/svg">',
  svg_too_complex:
    'has more than 20,000 elements, is nested too deeply, or shows itself: simplify the SVG',
  svg_declaration: 'is a declaration that an SVG must not have here: remove it',
  svg_element: 'is an element that an SVG must not have here: remove it',
  svg_attribute: 'is an attribute that an SVG must not have here: remove it',
  svg_reference:
    'refers to something outside the SVG: only parts of the picture itself (#name) are allowed',
  svg_style:
    'has url(), an at-rule or a backslash, which an SVG must not have here: use attributes',
  not_a_shape:
    'is not a polygon of 3 to 40 points in percent, such as "12,30 20,30 20,44", with at most one decimal',
  not_the_options: 'does not have each option once, with its exact text, the right answer included',
  unstorable: 'the row has a character without meaning (NUL or half a pair)',
  not_utf8: 'the row is not UTF-8 text',
  too_large: 'the row is larger than 2.5 MB',
  too_deep: 'the row is nested too deeply',
} as const satisfies Record<RowFaultReason, string>;

/** The warnings about imported rows, with their texts in the same report. */
export const ROW_WARNINGS = {
  language_not_offered: 'is a language that learners are not offered',
} as const satisfies Record<RowWarningReason, string>;
