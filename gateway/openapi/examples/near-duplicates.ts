import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type { Import } from '@proveklar/contract/imports.ts';
import type {
  DismissNearDuplicateRequest,
  NearDuplicatesResponse,
  SameAnsweredResponse,
} from '@proveklar/contract/near-duplicates.ts';
import { COMPLETED, IMPORT_ID } from './imports.ts';
import type { OperationDocs } from './operation.ts';
import { QUESTIONS } from './values.ts';

const [FIRST] = QUESTIONS;
const { language, topic, question, answer } = FIRST;
export const SIMILAR_IMPORT_ID = 'c4d90f2b-6a17-4e58-b3d1-80e5a2f79c36';
export const NEW_ID = 103;
export const SIMILAR_TEXT = question.replace('Når ble', 'I hvilket år ble');

export const listNearDuplicates: OperationDocs<never, NearDuplicatesResponse> = {
  operationId: 'listNearDuplicates',
  description:
    'Found in the background after the import (`near_duplicates` of the import is the progress): for each ' +
    'new question the most similar older one in the same language. Pairs are left out when a question ' +
    'is retired or deleted, or when edits made their texts different.',
  examples: {
    one: {
      summary: 'The same question in other words',
      path: { id: IMPORT_ID },
      query: { page: 1, answer: 'different' },
      answer: {
        pairs: [
          {
            language,
            similarity: 0.745,
            question: {
              id: NEW_ID,
              question: SIMILAR_TEXT,
              answer: '1814',
              topic,
              validated: false,
              import_id: IMPORT_ID,
            },
            similar: {
              id: FIRST.id,
              question,
              answer,
              topic,
              validated: false,
              import_id: SIMILAR_IMPORT_ID,
            },
          },
        ],
        total: 1,
        same: 0,
        different: 1,
        page: 1,
      },
    },
  },
  errors: { import_not_found: {} },
};

export const listSameAnswered: OperationDocs<never, SameAnsweredResponse> = {
  operationId: 'listSameAnswered',
  description:
    'One question of each pair with the same right answer. Retire them with `POST /api/v1/admin/question-changes`, which ' +
    'can be undone, and ask again until the list is empty.',
  examples: {
    none: {
      summary: 'The pairs have different answers',
      path: { id: IMPORT_ID },
      query: { which: 'newer' },
      answer: { ids: [] },
    },
  },
  errors: { import_not_found: {} },
};

export const cancelNearDuplicates: OperationDocs<null, Import> = {
  operationId: 'cancelNearDuplicates',
  description: 'Near-duplicates found so far are kept. It cannot be restarted.',
  examples: {
    cancelled: {
      summary: 'A waiting search',
      path: { id: IMPORT_ID },
      answer: {
        ...COMPLETED,
        near_duplicates: { state: 'cancelled', checked: 0, total: 2, found: 0 },
      },
    },
  },
  errors: { import_not_found: {}, import_state: { details: { near_duplicates: 'cancelled' } } },
};

export const dismissNearDuplicate: OperationDocs<DismissNearDuplicateRequest, Static<typeof Ok>> = {
  operationId: 'dismissNearDuplicate',
  description: 'Both questions stay unchanged, and the pair is no longer listed.',
  examples: {
    dismissed: {
      summary: 'Both questions are kept',
      path: { id: IMPORT_ID, question: NEW_ID },
      body: { dismissed: true },
      answer: { ok: true },
    },
  },
  errors: { question_not_found: {} },
};
