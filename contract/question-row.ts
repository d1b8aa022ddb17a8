import { type Static, Type } from 'typebox';
import { Closed, Day, OrNull } from './common.ts';
import { IMAGE_FAULTS } from './image-faults.ts';
import { Areas, ImageAlt, ImageData } from './images.ts';
import { LANGUAGE_CODE } from './language.ts';
import {
  MAX_DISTRACTORS,
  MAX_EXCLUDED_GROUPS,
  MAX_EXPLANATION_LENGTH,
  MAX_TAGS,
  MAX_TEXT_LENGTH,
  MAX_TOPIC_LENGTH,
} from './limits.ts';

// A row of an import file, whose rules are those of every question, and what can be wrong with it.

/** Why a row was rejected. */
const ROW_FAULTS = [
  'missing',
  'unknown_field',
  'not_an_object',
  'not_text',
  'not_a_list',
  'blank',
  'too_long',
  'too_few',
  'too_many',
  'same_twice',
  'same_as_answer',
  'language_code',
  'reserved_name',
  'not_a_date',
  'not_a_year',
  'not_as_many',
  'not_a_web_address',
  'not_a_uuid',
  'uuid_not_random',
  'needs_image',
  ...IMAGE_FAULTS,
  'not_a_shape',
  'not_the_options',
  'unstorable',
  'not_utf8',
  'too_large',
  'too_deep',
] as const;
export type RowFaultReason = (typeof ROW_FAULTS)[number];

/** What is wrong with a row. */
export const RowFault = Closed({
  field: Type.String({ description: 'The path in the row; empty for the whole row.' }),
  reason: Type.Enum(ROW_FAULTS),
  value: OrNull(Type.String({ description: 'The text of the field, shortened.' })),
});

/** Years in which a fact can be looked at again. */
export const Year = Type.Integer({ minimum: 2000, maximum: 2999 });

const NotBlank = Type.String({ pattern: '\\S', maxLength: MAX_TEXT_LENGTH });

/** A row of an import file: the required fields, and the optional ones. */
export const QuestionRow = Closed({
  language: Type.String({ pattern: LANGUAGE_CODE }),
  topic: Type.String({ pattern: '\\S', maxLength: MAX_TOPIC_LENGTH }),
  question: NotBlank,
  answer: NotBlank,
  incorrect: Type.Array(NotBlank, { minItems: 1, maxItems: MAX_DISTRACTORS }),
  incorrect_reasons: Type.Optional(
    Type.Array(OrNull(NotBlank), {
      maxItems: MAX_DISTRACTORS,
      description:
        'Why each wrong answer is wrong: as many as `incorrect`, in its order; null where there is no reason.',
    }),
  ),
  explanation: Type.Optional(Type.String({ maxLength: MAX_EXPLANATION_LENGTH })),
  source_url: Type.Optional(Type.String({ pattern: '^https?://', maxLength: MAX_TEXT_LENGTH })),
  source_title: Type.Optional(NotBlank),
  checked_at: Type.Optional(Day()),
  valid_from: Type.Optional(Day()),
  ages: Type.Optional(Year),
  group: Type.Optional(NotBlank),
  excludes: Type.Optional(
    Type.Array(NotBlank, {
      maxItems: MAX_EXCLUDED_GROUPS,
      description: 'Groups whose questions must not stand in the same test.',
    }),
  ),
  tags: Type.Optional(Type.Array(NotBlank, { maxItems: MAX_TAGS })),
  image: Type.Optional(ImageData),
  image_alt: Type.Optional(ImageAlt),
  areas: Type.Optional(Areas),
  uuid: Type.Optional(Type.String({ format: 'uuid' })),
  rejected_because: Type.Optional(
    Type.String({ description: 'Not read: a file of rejected rows says here why each was.' }),
  ),
});
export type QuestionRow = Static<typeof QuestionRow>;
