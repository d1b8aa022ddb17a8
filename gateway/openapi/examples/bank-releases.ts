import type {
  ApplyBankReleaseRequest,
  BankReleasePlan,
  BankReleasesResponse,
  BankReleaseWork,
} from '@proveklar/contract/bank-releases.ts';
import type { OperationDocs } from './operation.ts';
import { ADMIN_EMAIL, REGISTERED_AT } from './values.ts';

export const RELEASE_ID = '019bc0de-7b21-7d4f-8a32-7c1e5f9b8d72';
const PATH = { id: RELEASE_ID };

/** Of the bank in tests/support/example-bank. */
export const FINGERPRINT = '2b132abce61b6fbe8e40059f0fe4a5eda8df8ac61f16cb9b1e8ee2230b272c44';

const PLAN: BankReleasePlan = {
  release: FINGERPRINT,
  languages: [{ language: 'no', questions: 1, offered: true }],
  added: 1,
  updated: 0,
  retired: 0,
  unchanged: 0,
  changes: [
    {
      group: 'historie-001',
      language: 'no',
      question: 'Når ble Norges grunnlov underskrevet?',
      question_id: null,
      action: 'added',
      fields: [],
    },
  ],
  kept: [],
};

const WORK: BankReleaseWork = {
  id: '019bc0de-8c32-7e5a-9b43-8d2f6a0c9e83',
  action: 'apply',
  requested_by: ADMIN_EMAIL,
  requested_at: REGISTERED_AT,
  state: 'running',
  failure: null,
  ended_at: null,
};

export const listBankReleases: OperationDocs<never, BankReleasesResponse> = {
  operationId: 'listBankReleases',
  description: 'The live topic `questions` announces changes.',
  examples: {
    one: {
      summary: 'One release, applied by `npm run bank`',
      answer: {
        releases: [
          {
            id: RELEASE_ID,
            applied_at: REGISTERED_AT,
            applied_by: 'bank',
            added: 1,
            updated: 0,
            retired: 0,
            undone_at: null,
          },
        ],
        work: null,
      },
    },
  },
};

export const planBankRelease: OperationDocs<never, BankReleasePlan> = {
  operationId: 'planBankRelease',
  description:
    'Compares the question bank that belongs to this version of the service with the questions in the database. Changes nothing. What administrators have edited, retired or deleted stays as it is, and is listed under `kept`.',
  examples: {
    added: { summary: 'The release has a question that the bank lacks', answer: PLAN },
  },
};

export const applyBankRelease: OperationDocs<ApplyBankReleaseRequest, BankReleaseWork> = {
  operationId: 'applyBankRelease',
  description:
    'Changed questions get a new version, dropped ones are retired, and new ones are added and validated, in the background. Quizzes, statistics and what learners remember stay. `release` is that of the plan.',
  examples: {
    requested: {
      summary: 'A worker is about to apply it',
      body: { release: FINGERPRINT },
      status: 202,
      answer: WORK,
    },
  },
  errors: { bank_release_changed: {}, bank_release_running: {} },
};

export const undoBankRelease: OperationDocs<never, BankReleaseWork> = {
  operationId: 'undoBankRelease',
  description:
    'Restores the questions that it changed and retired, except those that were changed again since, and takes its new ones away: those that a learner has seen are retired, the others deleted.',
  examples: {
    requested: {
      summary: 'A worker is about to undo it',
      path: PATH,
      status: 202,
      answer: { ...WORK, action: 'undo' },
    },
  },
  errors: {
    bank_release_not_found: {},
    bank_release_not_latest: {},
    bank_release_running: {},
  },
};
