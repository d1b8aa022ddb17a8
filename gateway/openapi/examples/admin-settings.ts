import type { SettingsRequest, SettingsResponse } from '@proveklar/contract/settings.ts';
import type { OperationDocs } from './operation.ts';
import { ADMIN_EMAIL } from './values.ts';

const AT_FIRST: SettingsResponse = {
  price: 149,
  service_days: 30,
  seller_name: null,
  seller_organisation_number: null,
  seller_address: null,
  seller_vat_registered: true,
  support_email: null,
  support_email_in_use: 'kontakt@example.no',
  updated_at: null,
  updated_by: null,
};
const CHANGED = { updated_at: '2026-01-20T09:00:00.000Z', updated_by: ADMIN_EMAIL };
const SELLER = {
  seller_name: 'Eksempelforlaget AS',
  seller_organisation_number: '987654325',
  seller_address: 'Eksempelveien 1, 0001 Oslo',
};

export const readSettings: OperationDocs<never, SettingsResponse> = {
  operationId: 'readSettings',
  description: 'The settings as they are now. What was changed when is in the audit log.',
  examples: { at_first: { summary: 'Nobody has changed anything yet', answer: AT_FIRST } },
};

export const changeSettings: OperationDocs<SettingsRequest, SettingsResponse> = {
  operationId: 'changeSettings',
  description:
    'Only what differs is written and recorded; send what was changed alone, and nobody else’s change is undone. Payments already begun keep their price. A price is refused when it is negative, over 99,999.99, has more than two decimals, or is under 3.00 without being 0.',
  examples: {
    price: {
      summary: 'Another price for more days',
      body: { price: 199.5, service_days: 60 },
      answer: { ...AT_FIRST, price: 199.5, service_days: 60, ...CHANGED },
    },
    seller: {
      summary: 'Who sells, and whom to write to',
      body: { ...SELLER, support_email: 'hjelp@example.no' },
      answer: {
        ...AT_FIRST,
        ...SELLER,
        support_email: 'hjelp@example.no',
        support_email_in_use: 'hjelp@example.no',
        ...CHANGED,
      },
    },
  },
};
