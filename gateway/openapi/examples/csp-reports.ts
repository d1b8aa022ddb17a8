import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type { OperationDocs } from './operation.ts';

export const reportCspViolations: OperationDocs<object, Static<typeof Ok>> = {
  operationId: 'reportCspViolations',
  description:
    'Called by browsers, as `report-uri` (`application/csp-report`) or `report-to` (`application/reports+json`). Counted by directive; of what was blocked only scheme and host are logged, and nothing of the page or the person. At most 16 KiB.',
  examples: {
    violation: {
      summary: 'An image that does not belong to the page',
      body: {
        'csp-report': {
          'document-uri': 'https://proveklar.example.no/quiz',
          'effective-directive': 'img-src',
          'blocked-uri': 'https://elsewhere.example/pixel.gif',
        },
      },
      answer: { ok: true },
    },
  },
  errors: { validation_failed: { details: { reason: 'not_a_report' } } },
  serverErrors: [],
};
