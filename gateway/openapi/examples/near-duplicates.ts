import type { Static } from 'typebox';
import type {
  DismissNearDuplicateRequest,
  Import,
  NearDuplicatesResponse,
} from '@proveklar/contract/imports.ts';
import type { Ok } from '@proveklar/contract/common.ts';
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
    'Found in the background after the import (`near_duplicates` of the import says how far it has ' +
    'come): for each new question the most similar one that was there before, of the same language. ' +
    'A pair of which one question is retired or deleted, or whose texts were edited apart, is left out.',
  examples: {
    one: {
      summary: 'The same question in other words',
      path: { id: IMPORT_ID },
      query: { page: 1 },
      answer: {
        pairs: [
          {
            language,
            similarity: 0.788,
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
        page: 1,
      },
    },
  },
  errors: { import_not_found: {} },
};

export const cancelNearDuplicates: OperationDocs<null, Import> = {
  operationId: 'cancelNearDuplicates',
  description: 'What was found until then stays. It cannot be begun again.',
  examples: {
    cancelled: {
      summary: 'A search that waits for its turn',
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
  description: 'Both questions stay as they are, and the pair is not listed any more.',
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
