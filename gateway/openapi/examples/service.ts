import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type { BrowserErrorReport } from '@proveklar/contract/operations.ts';
import type { ConfigResponse, HealthResponse } from '@proveklar/contract/config.ts';
import type { OperationDocs } from './operation.ts';

export const readConfig: OperationDocs<never, ConfigResponse> = {
  operationId: 'readConfig',
  description:
    'Holds no secret. The price is for payments started now; a started payment keeps its price.',
  examples: {
    local: {
      summary: 'With `npm start`; in production both URLs are null',
      answer: {
        identity: {
          api_key: 'local',
          auth_domain: '127.0.0.1',
          project_id: 'demo-proveklar',
          emulator_url: 'http://127.0.0.1:9099',
        },
        stripe: {
          publishable_key: 'pk_test_local',
          script_url: 'http://127.0.0.1:12111/stripe.js',
        },
        support_email: 'kontakt@example.no',
        seller: null,
        price: 149,
        price_includes_vat: false,
        currency: 'nok',
        languages: [
          { code: 'no', name: 'Norsk', direction: 'ltr', fallback: null },
          { code: 'en', name: 'English', direction: 'ltr', fallback: null },
        ],
        service_days: 30,
      },
    },
  },
};

type HealthDocs = OperationDocs<never, Static<typeof HealthResponse>>;

export const isLive: HealthDocs = {
  operationId: 'isLive',
  description: 'Checks no dependency: only that the process itself runs.',
  examples: { live: { summary: 'The process runs', answer: { status: 'ok' } } },
  serverErrors: [],
};

export const isReady: HealthDocs = {
  operationId: 'isReady',
  description:
    'Checks the database. Send no requests to a gateway that is not ready: the database is unreachable, or the gateway is shutting down.',
  examples: { ready: { summary: 'The gateway takes requests', answer: { status: 'ok' } } },
  serverErrors: ['unavailable'],
};

export const streamEvents: OperationDocs<never, string> = {
  operationId: 'streamEvents',
  description:
    'Use `fetch`, because `EventSource` sends no token. A message never holds the change itself, only the topic to fetch again: `data: {"topic":"account"}`, with the id of the call that caused it, if any: `"request_id":"…"`. After `ready` and `resync`, fetch everything that is shown.',
  examples: {
    ready: {
      summary: 'The start of every stream',
      answer: 'retry: 1000\n\nevent: ready\ndata: {}\n\n',
    },
  },
};

export const reportCspViolations: OperationDocs<object, Static<typeof Ok>> = {
  operationId: 'reportCspViolations',
  description:
    'Called by browsers, by `report-uri` (`application/csp-report`) or `report-to` (`application/reports+json`). Counted by directive. Only scheme and host of the blocked resource are logged, and nothing about the page or the user. At most 16 KiB.',
  examples: {
    violation: {
      summary: 'A blocked image of another site',
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

export const reportBrowserError: OperationDocs<BrowserErrorReport, Static<typeof Ok>> = {
  operationId: 'reportBrowserError',
  description:
    'Called by our pages when an error was not caught. Counted by kind; the first ten in a minute are in the log, where addresses, tokens and card numbers are redacted.',
  examples: {
    error: {
      summary: 'A property of nothing',
      body: {
        kind: 'error',
        name: 'TypeError',
        message: "Cannot read properties of undefined (reading 'id')",
        at: '/assets/quiz-3fa1.js:1:2048',
        page: '/quiz/:id',
      },
      answer: { ok: true },
    },
  },
  serverErrors: [],
};
