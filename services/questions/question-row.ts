import Compile from 'typebox/compile';
import { QuestionRow, type RowFaultReason } from '@proveklar/contract/question-row.ts';
import { RESERVED_TOPICS } from '@proveklar/contract/quiz-topics.ts';
import { isStorable } from '#database/is-storable.ts';
import { type FindImage, readImage, type StoredImage } from '#images/read-image.ts';
import { isTopicTooLong } from './topics.ts';

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
  if (new Set(texts).size !== texts.length) faults.push(...repeatedOptions(texts));
  // The first segment seeds the order of the options. In a time-ordered uuid it would be the same for a
  // whole import.
  if (uuid && uuid[14] !== '4') faults.push({ field: 'uuid', reason: 'uuid_not_random' });
  return faults;
}

/** Which wrong answers repeat the right one, or an earlier one. */
function repeatedOptions([answer, ...incorrect]: readonly string[]): RowFault[] {
  return incorrect.flatMap((text, place): RowFault[] => {
    const field = `incorrect.${place}`;
    if (text === answer) return [{ field, reason: 'same_as_answer' }];
    return incorrect.indexOf(text) < place ? [{ field, reason: 'same_twice' }] : [];
  });
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
