import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type {
  CreateQuestionRequest,
  DeleteQuestionResponse,
  EditQuestionRequest,
  PresenceRequest,
  PresenceResponse,
  QuestionTopicRequest,
  RestoreVersionRequest,
  SiblingsResponse,
  ValidateQuestionRequest,
} from '@proveklar/contract/question-writing.ts';
import type { BankQuestion } from '@proveklar/contract/questions.ts';
import type { OperationDocs } from './operation.ts';
import { IN_BANK } from './questions.ts';
import {
  AREAS,
  PICTURE_ALT,
  PICTURE_HASH,
  PICTURE_URI,
  QUESTIONS,
  REGISTERED_AT,
  TRANSLATION,
} from './values.ts';

const [FIRST] = QUESTIONS;
const PATH = { question: FIRST.uuid };

export const EDIT: EditQuestionRequest = {
  version: 1,
  revision: 1,
  question: 'Når ble Grunnloven underskrevet?',
  answer: FIRST.answer,
  incorrect: [...FIRST.incorrect],
  topic: FIRST.topic,
  explanation: FIRST.explanation,
  source_url: FIRST.source_url,
  checked_at: '2026-11-21',
  incorrect_reasons: [
    'Da ble unionen med Sverige oppløst.',
    'Da begynte krigen i Norge.',
    'Da ble Norge fritt etter den andre verdenskrigen.',
  ],
  source_title: 'Store norske leksikon',
  excludes: ['grunnloven-sted'],
  valid_from: '1814-05-17',
  ages: 2030,
  tags: ['grunnloven'],
  image: PICTURE_URI,
  image_alt: PICTURE_ALT,
  areas: AREAS,
};
const { version: _began, revision: _first, image: _sent, image_alt: _text, ...EDITED } = EDIT;

const { options: _order, uuid: _uuid, ...TRANSLATED } = TRANSLATION;
const GROUP = '7f5f3d0e-6c0d-4f0a-9c1e-0f1b6a2d4c11';

export const TRANSLATE: CreateQuestionRequest = {
  ...TRANSLATED,
  incorrect: [...TRANSLATED.incorrect],
  source_url: null,
  checked_at: null,
  tags: [],
  translation_of: FIRST.id,
};

/** The translation of the first question, as an editor wrote it. */
const WRITTEN: BankQuestion = {
  ...IN_BANK,
  ...TRANSLATED,
  incorrect: [...TRANSLATED.incorrect],
  uuid: TRANSLATION.uuid,
  validated: false,
  source_url: null,
  source_title: null,
  checked_at: null,
  incorrect_reasons: null,
  import_id: null,
  group: GROUP,
};

export const createQuestion: OperationDocs<CreateQuestionRequest, BankQuestion> = {
  operationId: 'createQuestion',
  description:
    'Under the rules of an import row. With `translation_of` it joins the group of that question, which gets one if it has none; `question_duplicate` with `details.field` `language` means that this translation exists.',
  examples: {
    translation: {
      summary: 'A translation of a Norwegian question',
      body: TRANSLATE,
      status: 201,
      answer: WRITTEN,
    },
  },
  errors: {
    question_not_found: {},
    question_duplicate: {
      details: { field: 'language', question_id: QUESTIONS[1].id, uuid: QUESTIONS[1].uuid },
    },
  },
};

export const restoreQuestionVersion: OperationDocs<RestoreVersionRequest, BankQuestion> = {
  operationId: 'restoreQuestionVersion',
  description:
    'Makes a new version with the content of the earlier one. `tags` have no versions, and stay as they are.',
  examples: {
    first: {
      summary: 'The first version of a question that was moved to another topic',
      path: { ...PATH, version: 1 },
      body: { version: 2 },
      answer: { ...IN_BANK, version: 3, revision: 3, updated_at: REGISTERED_AT },
    },
  },
  errors: {
    question_not_found: {},
    version_not_found: {},
    question_changed: {
      details: {
        version: 3,
        question: { ...IN_BANK, version: 3, revision: 3, updated_at: REGISTERED_AT },
      },
    },
    question_duplicate: {
      details: { field: 'question', question_id: QUESTIONS[1].id, uuid: QUESTIONS[1].uuid },
    },
  },
};

export const listSiblings: OperationDocs<never, SiblingsResponse> = {
  operationId: 'listSiblings',
  description: 'A question without a group has none.',
  examples: {
    english: {
      summary: 'A question with an English translation that was not changed since',
      path: PATH,
      answer: { siblings: [{ question: WRITTEN, before: null }] },
    },
  },
  errors: { question_not_found: {} },
};

export const markAligned: OperationDocs<never, Static<typeof Ok>> = {
  operationId: 'markAligned',
  description: 'Counts for both questions. Idempotent.',
  examples: {
    aligned: {
      summary: 'The English translation says the same',
      path: { ...PATH, sibling: QUESTIONS[1].id },
      answer: { ok: true },
    },
  },
  errors: { question_not_found: {} },
};

export const notePresence: OperationDocs<PresenceRequest, PresenceResponse> = {
  operationId: 'notePresence',
  description:
    'To be sent every 15 seconds while the page is open; a caller who is silent for 40 seconds has left. It locks nothing.',
  examples: {
    alone: {
      summary: 'No other editor has it open',
      path: PATH,
      body: { writing: false },
      answer: { others: [] },
    },
  },
  errors: { question_not_found: {} },
};

export const editQuestion: OperationDocs<EditQuestionRequest, BankQuestion> = {
  operationId: 'editQuestion',
  description:
    'Replaces all editable fields, under the rules of an import row. `incorrect_reasons`, `source_title`, `excludes`, `valid_from`, `ages`, `image`, `image_alt` and `areas` stay as they are when they are left out; a reason stays with its wrong answer. `image` is a new picture as a data URI; null removes it, with its text and areas. Changing the texts, the picture, the source or the topic creates a new version; `tags`, `checked_at`, `excludes`, `valid_from` and `ages` do not. `question_changed` has the current question in `details.question`, `question_duplicate` the other one in `details.question_id` and `details.uuid`.',
  examples: {
    edited: {
      summary: 'A shorter text',
      path: PATH,
      body: EDIT,
      answer: {
        ...IN_BANK,
        ...EDITED,
        image: {
          url: `/api/v1/images/${PICTURE_HASH}`,
          alt: PICTURE_ALT,
          width: 1000,
          height: 250,
        },
        version: 2,
        revision: 2,
        updated_at: REGISTERED_AT,
      },
    },
  },
  errors: {
    question_not_found: {},
    question_changed: {
      details: {
        version: 3,
        question: { ...IN_BANK, version: 3, revision: 3, updated_at: REGISTERED_AT },
      },
    },
    question_duplicate: {
      details: { field: 'question', question_id: QUESTIONS[1].id, uuid: QUESTIONS[1].uuid },
    },
  },
};

export const changeQuestionTopic: OperationDocs<QuestionTopicRequest, BankQuestion> = {
  operationId: 'changeQuestionTopic',
  description: 'Creates a new version. "all" and "Praktisk prøve" are not topics.',
  examples: {
    moved: {
      summary: 'Under another topic',
      path: PATH,
      body: { topic: 'Grunnloven' },
      answer: {
        ...IN_BANK,
        topic: 'Grunnloven',
        version: 2,
        revision: 2,
        updated_at: REGISTERED_AT,
      },
    },
  },
  errors: { question_not_found: {} },
};

export const validateQuestion: OperationDocs<ValidateQuestionRequest, BankQuestion> = {
  operationId: 'validateQuestion',
  description: 'Only validated questions are drawn. Idempotent.',
  examples: {
    validated: {
      summary: 'A question is validated',
      path: PATH,
      body: { validated: true },
      answer: IN_BANK,
    },
    taken_back: {
      summary: 'A validation is withdrawn',
      path: PATH,
      body: { validated: false },
      answer: { ...IN_BANK, validated: false },
    },
  },
  errors: { question_not_found: {} },
};

export const deleteQuestion: OperationDocs<never, DeleteQuestionResponse> = {
  operationId: 'deleteQuestion',
  description: 'A question that a quiz has is retired, so that histories stay readable.',
  examples: {
    deleted: {
      summary: 'A question of no quiz',
      path: PATH,
      answer: { ok: true, retired: false },
    },
    retired: {
      summary: 'A question of a quiz',
      path: PATH,
      answer: { ok: true, retired: true },
    },
  },
  errors: { question_not_found: {} },
};

export const restoreQuestion: OperationDocs<never, BankQuestion> = {
  operationId: 'restoreQuestion',
  description: 'Idempotent.',
  examples: {
    restored: {
      summary: 'A retired question is restored',
      path: PATH,
      answer: { ...IN_BANK, times_selected: 0, is_used: true },
    },
  },
  errors: {
    question_not_found: {},
    question_duplicate: {
      details: {
        field: 'question',
        question_id: QUESTIONS[1].id,
        uuid: QUESTIONS[1].uuid,
      },
    },
  },
};
