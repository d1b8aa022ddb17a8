import type {
  QuestionChange,
  QuestionChangeRequest,
  QuestionChangesResponse,
} from '@proveklar/contract/question-changes.ts';
import type { OperationDocs } from './operation.ts';
import { ADMIN_EMAIL, REGISTERED_AT } from './values.ts';

export const CHANGE_ID = '019bc0de-5a10-7c3e-9f21-6b0d4e8a7c61';
const PATH = { id: CHANGE_ID };

const SMALL: QuestionChangeRequest = {
  action: 'retopic',
  topic: 'Grunnloven',
  selection: { filter: { topic: 'Historie' } },
};
const COMPLETED: QuestionChange = {
  id: CHANGE_ID,
  action: 'retopic',
  topic: 'Grunnloven',
  values: {},
  selection: SMALL.selection,
  actor: ADMIN_EMAIL,
  state: 'completed',
  total: 2,
  done: 2,
  changed: 2,
  created_at: REGISTERED_AT,
  ended_at: REGISTERED_AT,
  undone_by: null,
};
const TAGS: QuestionChangeRequest = {
  action: 'add_tags',
  values: { tags: ['grunnloven'] },
  selection: SMALL.selection,
};
const LARGE: QuestionChangeRequest = { action: 'retire', selection: { filter: {} } };
const RUNNING: QuestionChange = {
  ...COMPLETED,
  ...LARGE,
  topic: null,
  state: 'running',
  total: 1001,
  done: 0,
  changed: 0,
  ended_at: null,
};

export const changeQuestions: OperationDocs<QuestionChangeRequest, QuestionChange> = {
  operationId: 'changeQuestions',
  description:
    'Up to 1,000 questions are changed in the call. More are changed in the background: the response is 202, and `GET /admin/question-changes/{id}` returns the progress. Questions added to the bank later are not changed.',
  examples: {
    at_once: { summary: 'A topic is renamed', body: SMALL, answer: COMPLETED },
    tags: {
      summary: 'A tag is added to the questions of a topic',
      body: TAGS,
      answer: { ...COMPLETED, action: 'add_tags', topic: null, values: { tags: ['grunnloven'] } },
    },
    in_background: {
      summary: 'More than a thousand questions are retired',
      body: LARGE,
      status: 202,
      answer: RUNNING,
    },
  },
};

export const listQuestionChanges: OperationDocs<never, QuestionChangesResponse> = {
  operationId: 'listQuestionChanges',
  description: 'At most 20, newest first.',
  examples: { one: { summary: 'A topic was renamed', answer: { changes: [COMPLETED] } } },
};

export const readQuestionChange: OperationDocs<never, QuestionChange> = {
  operationId: 'readQuestionChange',
  description: 'The live topic `questions` announces changes.',
  examples: { completed: { summary: 'A topic was renamed', path: PATH, answer: COMPLETED } },
  errors: { change_not_found: {} },
};

export const cancelQuestionChange: OperationDocs<never, QuestionChange> = {
  operationId: 'cancelQuestionChange',
  description: 'Changes made so far remain, and can be undone.',
  examples: {
    cancelled: {
      summary: 'Before the first question was changed',
      path: PATH,
      answer: { ...RUNNING, state: 'cancelled', ended_at: REGISTERED_AT },
    },
  },
  errors: { change_not_found: {}, change_ended: {} },
};

export const undoQuestionChange: OperationDocs<never, QuestionChange> = {
  operationId: 'undoQuestionChange',
  description:
    'Reverts every question that it changed, except those changed again since. 202 when there are many.',
  examples: {
    undone: {
      summary: 'The topic has its old name',
      path: PATH,
      answer: { ...COMPLETED, state: 'undone', changed: 0, undone_by: ADMIN_EMAIL },
    },
    in_background: {
      summary: 'More than a thousand questions are restored',
      path: PATH,
      status: 202,
      answer: {
        ...RUNNING,
        state: 'undoing',
        done: 1001,
        changed: 1001,
        undone_by: ADMIN_EMAIL,
      },
    },
  },
  errors: { change_not_found: {}, change_not_ended: {}, change_ended: {} },
};
