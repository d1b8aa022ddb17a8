import type { FunnelResponse, MoneyResponse } from '@proveklar/contract/money.ts';
import { PAYMENT_ID } from './admin-payments.ts';
import type { OperationDocs } from './operation.ts';

const FIGURES = {
  sales: 1,
  gross: 14900,
  refunded: 0,
  disputed: 0,
  vat: 0,
  net: 14900,
};

export const readMoney: OperationDocs<never, MoneyResponse> = {
  operationId: 'readMoney',
  description:
    'From our own books. `stripe` says when the balance at Stripe was last read, and which payments have ' +
    'another sum there. A day begins at midnight in Oslo.',
  examples: {
    march: {
      summary: 'A month with one payment, of which Stripe knows nothing',
      query: { period: '2025-03' },
      answer: {
        rows: Array.from({ length: 31 }, (_, n) => ({
          period: `2025-03-${String(31 - n).padStart(2, '0')}`,
          ...(n === 17 ? FIGURES : { ...FIGURES, sales: 0, gross: 0, net: 0 }),
          fees: 0,
        })),
        total: { ...FIGURES, fees: 0 },
        methods: [{ method: 'card', ...FIGURES, fees: 0 }],
        first_year: 2025,
        stripe: {
          read_at: '2026-01-20T09:00:00.000Z',
          compared: 1,
          differing: 1,
          differences: [{ payment_id: PAYMENT_ID, receipt_number: 1, books: 14900, stripe: 0 }],
        },
      },
    },
  },
};

const NONE = {
  sample: '<5',
  registered: '<5',
  paid: '<5',
  first_quiz: '<5',
  came_back: '<5',
} as const;

export const readFunnel: OperationDocs<never, FunnelResponse> = {
  operationId: 'readFunnel',
  description: 'Fewer than five are withheld, so that no day reveals a single person.',
  examples: {
    february: {
      summary: 'A month in which the free sample was opened twelve times',
      query: { period: '2025-02' },
      answer: {
        rows: Array.from({ length: 28 }, (_, n) => ({
          period: `2025-02-${String(28 - n).padStart(2, '0')}`,
          ...NONE,
          ...(n === 14 ? { sample: 12 } : {}),
        })),
        total: { ...NONE, sample: 12 },
      },
    },
  },
};
