import type { AuditResponse } from '@proveklar/contract/audit.ts';
import type { OperationDocs } from './operation.ts';
import { ADMIN_EMAIL } from './values.ts';

/** The example shows the page before this entry. */
export const AUDIT_ENTRY_ID = '019bc0f3-84e6-7d19-a3b2-0c6e5f1d9b72';

export const listAudit: OperationDocs<never, AuditResponse> = {
  operationId: 'listAudit',
  description: '`before` returns the next page. Filters can be combined.',
  examples: {
    price: {
      summary: 'A change of the price',
      query: {
        before: AUDIT_ENTRY_ID,
        actor: ADMIN_EMAIL,
        action: 'settings.updated',
        subject: 'settings',
        from: '2026-01-01',
        to: '2099-12-31',
        search: 'price',
        search_actions: 'settings.updated',
        export: false,
        limit: 50,
      },
      answer: {
        entries: [
          {
            id: '019bc0f0-2c4b-7f55-9e18-7a3d0b6c4e91',
            at: '2026-01-20T09:00:00.000Z',
            actor: ADMIN_EMAIL,
            action: 'settings.updated',
            subject: 'settings',
            details: { changes: { price: { before: 149, after: 199.5 } } },
          },
        ],
        next_before: null,
        actions: ['settings.updated'],
        actors: [ADMIN_EMAIL],
      },
    },
  },
};
