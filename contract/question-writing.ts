import { type Static, Type } from 'typebox';
import { Closed, OrNull, QuestionLanguage, RowId, Uuid } from './common.ts';
import { Areas, ImageAlt, ImageData } from './images.ts';
import {
  MAX_DISTRACTORS,
  MAX_EXCLUDED_GROUPS,
  MAX_EXPLANATION_LENGTH,
  MAX_TAGS,
  MAX_TEXT_LENGTH,
} from './limits.ts';
import { Year } from './question-row.ts';
import { BankQuestion, CheckedAt, QuestionVersion, Text, Topic, ValidFrom } from './questions.ts';

// Writing a question of the bank: a new one, an edit, an earlier version, a translation.

/**
 * All editable fields. The rules are those of an import row: 400 `validation_failed` has
 * `details.field` and `details.faults`, `[{ field, reason }]`. An optional field that is left out stays as
 * it is; reasons stay with their wrong answers. Without its picture, a question has no areas either.
 */
export const EditQuestionRequest = Closed({
  version: Type.Integer({
    minimum: 1,
    description:
      'The version that was edited; 409 `question_changed` if it is no longer the current one.',
  }),
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The revision that was edited; checked like `version`.',
    }),
  ),
  question: Text(MAX_TEXT_LENGTH),
  answer: Text(MAX_TEXT_LENGTH),
  incorrect: Type.Array(Text(MAX_TEXT_LENGTH), { minItems: 1, maxItems: MAX_DISTRACTORS }),
  topic: Topic(),
  explanation: OrNull(Type.String({ maxLength: MAX_EXPLANATION_LENGTH })),
  source_url: OrNull(Type.String({ maxLength: MAX_TEXT_LENGTH })),
  checked_at: OrNull(CheckedAt),
  tags: Type.Array(Text(MAX_TEXT_LENGTH), { maxItems: MAX_TAGS }),
  incorrect_reasons: Type.Optional(
    OrNull(Type.Array(OrNull(Text(MAX_TEXT_LENGTH)), { maxItems: MAX_DISTRACTORS })),
  ),
  source_title: Type.Optional(OrNull(Text(MAX_TEXT_LENGTH))),
  excludes: Type.Optional(Type.Array(Text(MAX_TEXT_LENGTH), { maxItems: MAX_EXCLUDED_GROUPS })),
  valid_from: Type.Optional(OrNull(ValidFrom)),
  ages: Type.Optional(OrNull(Year)),
  image: Type.Optional(OrNull(ImageData)),
  image_alt: Type.Optional(OrNull(ImageAlt)),
  areas: Type.Optional(OrNull(Areas)),
});
export type EditQuestionRequest = Static<typeof EditQuestionRequest>;

const { version: _version, revision: _revision, ...editable } = EditQuestionRequest.properties;

/** A question that an editor writes, under the rules of `EditQuestionRequest`. It is pending. */
export const CreateQuestionRequest = Closed({
  language: QuestionLanguage,
  ...editable,
  translation_of: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The id of the question that this translates: both are then in one group.',
    }),
  ),
  picture_of: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The id of a question whose picture this one gets, if `image` is left out.',
    }),
  ),
});
export type CreateQuestionRequest = Static<typeof CreateQuestionRequest>;

export const QuestionVersionParams = Closed({
  question: Type.Union([RowId, Uuid]),
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const RestoreVersionRequest = Closed({
  version: Type.Integer({
    minimum: 1,
    description: 'The current version; 409 `question_changed` if it is another by now.',
  }),
});
export type RestoreVersionRequest = Static<typeof RestoreVersionRequest>;

export const SiblingsResponse = Closed({
  siblings: Type.Array(
    Closed({
      question: BankQuestion,
      before: OrNull(
        QuestionVersion,
        'What it said when the two were last in line: when an editor said so, or when this question was last changed. Null when it still says so.',
      ),
    }),
    { description: 'The same question in other languages, by language; retired ones last.' },
  ),
});
export type SiblingsResponse = Static<typeof SiblingsResponse>;

export const SiblingParams = Closed({
  question: QuestionVersionParams.properties.question,
  sibling: RowId,
});

export const PresenceRequest = Closed({
  writing: Type.Boolean({ description: 'Whether there is typed text that is not saved.' }),
});
export type PresenceRequest = Static<typeof PresenceRequest>;

export const PresenceResponse = Closed({
  others: Type.Array(Closed({ email: Type.String(), writing: Type.Boolean() }), {
    description: 'The other editors who have the question open, by address.',
  }),
});
export type PresenceResponse = Static<typeof PresenceResponse>;

export const ValidateQuestionRequest = Closed({
  validated: Type.Boolean({ description: 'False withdraws the validation.' }),
});
export type ValidateQuestionRequest = Static<typeof ValidateQuestionRequest>;

export const QuestionTopicRequest = Closed({ topic: Topic() });
export type QuestionTopicRequest = Static<typeof QuestionTopicRequest>;

export const DeleteQuestionResponse = Closed({
  ok: Type.Literal(true),
  retired: Type.Boolean({
    description:
      'True: quizzes or reports refer to it, so it was retired and can be restored. False: it was deleted.',
  }),
});
export type DeleteQuestionResponse = Static<typeof DeleteQuestionResponse>;
