import type { Static } from 'typebox';
import type { Ok } from '@proveklar/contract/common.ts';
import type { ConfigResponse, HealthResponse } from '@proveklar/contract/config.ts';
import type { OperationDocs } from './operation.ts';

export const readConfig: OperationDocs<never, ConfigResponse> = {
  operationId: 'readConfig',
  description:
    'Nothing in it is secret. The price is what a payment begun now would cost; one that was begun keeps its own.',
  examples: {
    local: {
      summary: 'As `npm start` answers it; in production both URLs are null',
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
        price_includes_vat: true,
        currency: 'nok',
        languages: [
          { code: 'no', name: 'Norsk', direction: 'ltr' },
          { code: 'en', name: 'English', direction: 'ltr' },
        ],
        service_days: 30,
      },
    },
  },
};

type HealthDocs = OperationDocs<never, Static<typeof HealthResponse>>;

export const isLive: HealthDocs = {
  operationId: 'isLive',
  description: 'Asks nobody else, so it tells only of the process itself.',
  examples: { live: { summary: 'It runs', answer: { status: 'ok' } } },
  serverErrors: [],
};

export const isReady: HealthDocs = {
  operationId: 'isReady',
  description:
    'Asks the database. While it does not answer, or when this one is about to end, send it no requests.',
  examples: { ready: { summary: 'It takes requests', answer: { status: 'ok' } } },
  serverErrors: ['unavailable'],
};

export const streamEvents: OperationDocs<never, string> = {
  operationId: 'streamEvents',
  description:
    'For `fetch`: `EventSource` sends no token. A message never carries what changed, only what to read again: `data: {"topic":"account"}`, and of which call it comes where it was one: `"request_id":"…"`. After `ready` and `resync` everything that is shown should be read again.',
  examples: {
    ready: {
      summary: 'How every stream begins',
      answer: 'retry: 1000\n\nevent: ready\ndata: {}\n\n',
    },
  },
};

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
