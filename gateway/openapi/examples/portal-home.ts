import type { PortalHomeResponse } from '@proveklar/contract/portal-home.ts';
import type { OperationDocs } from './operation.ts';
import { IMPORT_ID } from './questions.ts';
import { REGISTERED_AT } from './values.ts';

export const readPortalHome: OperationDocs<never, PortalHomeResponse> = {
  operationId: 'readPortalHome',
  description: 'At most ten seconds old. The parts of other roles are null.',
  examples: {
    owner: {
      summary: 'A new service with two questions, for an owner',
      answer: {
        questions: {
          pending: 0,
          reported: 0,
          stale: 0,
          last_import: {
            id: IMPORT_ID,
            file_name: null,
            state: 'completed',
            dry_run: false,
            imported: 2,
            rejected: 0,
            created_at: REGISTERED_AT,
          },
        },
        learners: {
          payments_waiting: 0,
          disputes: 0,
          registered_today: 1,
          practised_today: 0,
          quizzes_today: 0,
          payments_today: 0,
          paid_today: 0,
        },
        operations: { level: null, rejected_events: 0, mails_refused: 0 },
      },
    },
  },
};
