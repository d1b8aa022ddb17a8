import type { ConfigResponse } from '@proveklar/contract/config.ts';
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
