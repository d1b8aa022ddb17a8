import type { PaymentsSearch } from './search.ts';

/** The live topic `payments` makes everything below `all` out of date. */
export const paymentsKeys = {
  all: ['admin', 'payments'] as const,
  list: (wish: PaymentsSearch) => [...paymentsKeys.all, 'list', wish] as const,
  summary: () => [...paymentsKeys.all, 'summary'] as const,
  one: (id: string) => [...paymentsKeys.all, 'one', id] as const,
  run: (id: string) => [...paymentsKeys.all, 'run', id] as const,
};
