import { Type, type Static } from 'typebox';
import Compile from 'typebox/compile';
import { isStorable } from '#database/is-storable.ts';
import { ALL_TOPICS, PRACTICE_TEST } from '#questions/topics.ts';

const NotBlank = Type.String({ pattern: '\\S', maxLength: 2000 });

/** A row of an import file: the specification's fields, and what decision 25 adds. */
const QuestionRow = Type.Object(
  {
    language: Type.String({ pattern: '^[a-z]{2,3}$' }),
    topic: NotBlank,
    question: NotBlank,
    answer: NotBlank,
    incorrect: Type.Array(NotBlank, { minItems: 1, maxItems: 9 }),
    explanation: Type.Optional(Type.String({ maxLength: 4000 })),
    source_url: Type.Optional(Type.String({ pattern: '^https?://', maxLength: 2000 })),
    // There was no year 0.
    checked_at: Type.Optional(Type.String({ format: 'date', pattern: '^(?!0000)' })),
    group: Type.Optional(NotBlank),
    tags: Type.Optional(Type.Array(NotBlank, { maxItems: 20 })),
    uuid: Type.Optional(Type.String({ format: 'uuid' })),
  },
  { additionalProperties: false },
);
export type QuestionRow = Static<typeof QuestionRow>;

const validator = Compile(QuestionRow);

/** Why a row was refused: the field and what is wrong with it. */
export interface RowFault {
  field: string;
  reason: string;
}

/** Checks one row of an import file. A row with any fault is refused whole. */
export function checkRow(row: unknown): { row: QuestionRow } | { faults: RowFault[] } {
  if (!isStorable(row)) {
    return {
      faults: [{ field: '', reason: 'has a character without meaning (NUL or half a pair)' }],
    };
  }
  if (!validator.Check(row)) {
    return { faults: validator.Errors(row).flatMap(toFaults) };
  }
  const faults = [...topicFaults(row), ...optionFaults(row)];
  return faults.length > 0 ? { faults } : { row };
}

function toFaults(error: ReturnType<typeof validator.Errors>[number]): RowFault[] {
  const field = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({ field: name, reason: 'is missing' }));
  }
  if (error.keyword === 'additionalProperties') {
    return error.params.additionalProperties.map((name) => ({
      field: name,
      reason: 'is not a known field',
    }));
  }
  return [{ field, reason: error.message }];
}

/** These two are asked for in place of a topic. */
function topicFaults({ topic }: QuestionRow): RowFault[] {
  const stored = topic.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  const reserved = [ALL_TOPICS, PRACTICE_TEST].includes(stored);
  return reserved ? [{ field: 'topic', reason: 'is a reserved name' }] : [];
}

function optionFaults({ answer, incorrect, uuid }: QuestionRow): RowFault[] {
  const faults: RowFault[] = [];
  const texts = [answer, ...incorrect].map((text) => text.normalize('NFC').trim());
  if (new Set(texts).size !== texts.length) {
    faults.push({ field: 'incorrect', reason: 'has the same text twice, or the right answer' });
  }
  // The first segment of a time-ordered uuid is the same for a whole import: it cannot seed.
  if (uuid && uuid[14] !== '4') faults.push({ field: 'uuid', reason: 'is not a random (v4) uuid' });
  return faults;
}
